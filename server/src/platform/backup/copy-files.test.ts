// Facts about copying stored files: what is damaged is left out, and a failure leaves nothing behind that is still being written.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { store } from '../../../test/support/byte-store-facts.ts'
import { type ByteStore, filesUnavailable, pathOf } from '../byte-store.ts'
import { fileFolder, Unreadable } from '../file-folder.ts'
import { copyFiles, damagedIn } from './copy-files.ts'
import { missingFrom } from './named-files.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'atelier-copy-'))
})
afterAll(() => rm(root, { recursive: true }))

test('a file without bytes and one with others are damaged; a copy that was cut is made again', async () => {
  const [from, to] = [join(root, 'from'), join(root, 'to')]
  const [whole, empty, other] = await Promise.all(
    ['whole', 'empty', 'other'].map((text) => store(fileFolder(from), text)),
  )
  await truncate(join(from, pathOf(empty ?? '')))
  await writeFile(join(from, pathOf(other ?? '')), 'OTHER')
  const found = await copyFiles(fileFolder(from), fileFolder(to))
  expect({ ...found, damaged: found.damaged.toSorted() }).toEqual({
    ...{ count: 1, bytes: 5, copied: 1, damaged: [empty, other].toSorted(), unreadable: [] },
  })
  await truncate(join(to, pathOf(whole ?? '')), 2)
  expect(await copyFiles(fileFolder(from), fileFolder(to))).toMatchObject({ count: 1, copied: 1 })
  expect(await missingFrom(fileFolder(to), [{ digest: whole ?? '', size: 5 }])).toEqual([])
})

test('a file that is damaged where it is to be is found by its digest, and is copied again if that is asked for', async () => {
  const [from, to] = [fileFolder(join(root, 'good')), fileFolder(join(root, 'worn'))]
  const [first, second] = [await store(from, 'first'), await store(from, 'second')]
  for (const text of ['first', 'second', 'only there']) await store(to, text)
  expect(await damagedIn(to)).toEqual(new Set())
  await writeFile(join(root, 'worn', pathOf(first)), 'FIRST')
  const damaged = await damagedIn(to)
  expect(damaged).toEqual(new Set([first]))
  expect(await damagedIn(to, (digest) => digest === second)).toEqual(new Set())
  // Without them all that counts is the size.
  expect(await copyFiles(from, to)).toMatchObject({ count: 2, copied: 0 })
  expect(await copyFiles(from, to, damaged)).toMatchObject({ count: 2, copied: 1, damaged: [] })
  expect(await damagedIn(to)).toEqual(new Set())
})

/** The store, with a disk or a connection that fails with this error code when these files are read. */
const failing = (store: ByteStore, code: string, atOpening: string, atReading: string): ByteStore => ({
  ...store,
  read: async (digest, size) => {
    const error = Object.assign(new Error(`${code}: it failed`), { code })
    if (digest === atOpening) throw filesUnavailable(error)
    if (digest !== atReading) return store.read(digest, size)
    return Readable.from(
      (async function* () {
        yield Buffer.alloc(10)
        throw error
      })(),
    )
  },
})

test('files that the disk cannot read are left out and named, and the others are copied', async () => {
  const good = fileFolder(join(root, 'sectors'))
  const [first, second] = [await store(good, 'no inode'), await store(good, 'no sector')]
  await store(good, 'whole')
  const [from, to] = [failing(good, 'EIO', first, second), fileFolder(join(root, 'saved'))]
  const found = await copyFiles(from, to)
  expect({ ...found, unreadable: found.unreadable.toSorted() }).toEqual({
    ...{ count: 1, bytes: 5, copied: 1, damaged: [], unreadable: [first, second].toSorted() },
  })
  expect(await damagedIn(from)).toEqual(new Set([first, second]))
})

/** The store, on a disk that can list neither this file nor this folder. */
const hiding = (store: ByteStore, digest: string, folder: string): ByteStore => ({
  ...store,
  list: async function* () {
    for await (const file of store.list())
      if (file.digest !== digest && !pathOf(file.digest).startsWith(folder)) yield file
    throw new Unreadable([digest, folder])
  },
})

test('files and folders that a disk cannot list are named, and the others are copied, be it that of the source or of the target', async () => {
  const good = fileFolder(join(root, 'listed'))
  const [first, second, third] = [
    await store(good, 'hidden'),
    await store(good, 'in a folder'),
    await store(good, 'in sight'),
  ]
  const folder = `${pathOf(second).slice(0, 5)}/`
  const hidden = hiding(good, first, folder)
  const onlyThird = { count: 1, bytes: 8, copied: 1, damaged: [], unreadable: [first, folder] }
  expect(await copyFiles(hidden, fileFolder(join(root, 'of the source')))).toEqual(onlyThird)
  expect(await copyFiles(good, hiding(fileFolder(join(root, 'of the target')), first, folder))).toEqual(onlyThird)
  expect(await damagedIn(hidden)).toEqual(new Set())
  const named = [first, second, third].map((digest, n) => ({ digest, size: [6, 11, 8][n] ?? 0 }))
  expect(await missingFrom(hidden, named)).toEqual([first, second])
})

test('a connection that fails while a file is read ends the copying, with its own words', async () => {
  const good = fileFolder(join(root, 'connected'))
  const first = await store(good, 'first')
  const from = failing(good, 'ECONNRESET', '', first)
  const cause = { message: 'ECONNRESET: it failed' }
  await expect(copyFiles(from, fileFolder(join(root, 'cut off')))).rejects.toMatchObject({ cause })
  await expect(damagedIn(from)).rejects.toThrow(cause.message)
})

test('a failure is thrown once nothing is written any more, and begins no other file', async () => {
  const from = fileFolder(join(root, 'many'))
  for (let n = 0; n < 12; n += 1) await store(from, `file ${n}`)
  const target = fileFolder(join(root, 'failing'))
  let [begun, writing] = [0, 0]
  const failed = Promise.withResolvers<void>()
  const to: ByteStore = {
    ...target,
    receive: async (source, limit) => {
      begun += 1
      if (begun === 2) {
        failed.resolve()
        throw new Error('the disk is full')
      }
      writing += 1
      await failed.promise
      await nextTurn()
      const incoming = await target.receive(source, limit)
      writing -= 1
      return incoming
    },
  }
  await expect(copyFiles(from, to)).rejects.toThrow('the disk is full')
  expect(writing).toBe(0)
  expect(begun).toBeLessThanOrEqual(4)
})
