// In charge of the tests that every kind of byte store must pass.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { ByteStore } from '../../src/platform/byte-store.ts'

const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex')

export async function store(bytes: ByteStore, content: string): Promise<string> {
  const incoming = await bytes.receive(Readable.from([Buffer.from(content)]), 1_000_000_000)
  await incoming.send()
  await incoming.place()
  await incoming.discard()
  return incoming.digest
}

export function byteStoreFacts(open: () => ByteStore): void {
  const listed = async (): Promise<Map<string, number>> => {
    const all = new Map<string, number>()
    for await (const { digest, size } of open().list()) all.set(digest, size)
    return all
  }

  test('what arrived is there under its digest once it is placed, and not before', async () => {
    const incoming = await open().receive(Readable.from([Buffer.from('in two '), Buffer.from('pieces')]), 100)
    expect([incoming.digest, incoming.size]).toEqual([sha256('in two pieces'), 13])
    expect((await listed()).has(incoming.digest)).toBe(false)
    await incoming.send()
    await incoming.place()
    await incoming.discard()
    expect((await listed()).get(incoming.digest)).toBe(13)
    expect(await text(await open().read(incoming.digest, 13))).toBe('in two pieces')
    expect(await text(await open().read(incoming.digest, 13, { start: 3, end: 5 }))).toBe('two')
  })

  test('the same bytes again are the same file', async () => {
    expect(await store(open(), 'again')).toBe(await store(open(), 'again'))
    expect((await listed()).get(sha256('again'))).toBe(5)
  })

  test('what is removed, never was there, or has another size is told as gone', async () => {
    const digest = await store(open(), 'removed')
    await expect(open().read(digest, 8)).rejects.toThrow('are gone')
    await open().remove(digest)
    await open().remove(digest)
    await expect(open().read(digest, 7)).rejects.toThrow('are gone')
    await expect(open().read(digest, 7, { start: 3, end: 5 })).rejects.toThrow('are gone')
    expect((await listed()).has(digest)).toBe(false)
  })

  test('a file whose bytes were damaged is whole again once the right ones arrive', async () => {
    const content = 'damaged and mended'
    const incoming = await open().receive(Readable.from([Buffer.from(content)]), 100)
    await incoming.send()
    await open().remove(incoming.digest) // as if, after `send`, a cleanup had removed the file, because nothing refers to it
    const second = await open().receive(Readable.from([Buffer.from(content)]), 100)
    await second.send()
    await second.place()
    await second.discard()
    expect(await text(await open().read(incoming.digest, content.length))).toBe(content)
    await incoming.discard()
  })
}
