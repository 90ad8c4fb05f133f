// Facts about packing and unpacking an archive of a backup: whether the archive, its source, the disk or the machine is at fault.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeKey, packArchive, unpackArchive } from './archive.ts'
import { noTar } from './tools.ts'

let folder: string
const { PATH } = process.env
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-archive-'))
})
afterEach(() => {
  process.env.PATH = PATH
})
afterAll(() => rm(folder, { recursive: true }))

const unpacked = () =>
  unpackArchive({ name: 'atelier-1.tar', bytes: Readable.from([Buffer.alloc(5000, 'no tar')]) }, folder, undefined)

test('bytes that are no archive are damaged', async () => {
  await expect(unpacked()).rejects.toThrow('atelier-1.tar is damaged, or was cut off: take another backup.')
})

test('a disk that is full is told as that', async () => {
  const words = 'tar: ./files/ab: Cannot write: No space left on device'
  await writeFile(join(folder, 'tar'), `#!/bin/sh\ncat > /dev/null\necho '${words}' >&2\nexit 2\n`, { mode: 0o700 })
  process.env.PATH = `${folder}:${PATH}`
  await expect(unpacked()).rejects.toThrow(`atelier-1.tar cannot be unpacked: ${words}`)
})

test('a machine without tar is told what to install', async () => {
  process.env.PATH = join(folder, 'nothing')
  await expect(unpacked()).rejects.toThrow(noTar)
})

test('nor is it packed without tar, encrypted or not: the error is the same, and none is left unhandled', async () => {
  const recipient = await makeKey(join(folder, 'key of nobody'))
  process.env.PATH = join(folder, 'nothing')
  await expect(packArchive(folder, join(folder, 'without-tar.tar'), [])).rejects.toThrow(noTar)
  await expect(packArchive(folder, join(folder, 'without-tar.tar.age'), [recipient])).rejects.toThrow(noTar)
})

/** Reads these bytes, and then fails as a connection does that breaks. */
async function* breakingAfter(bytes: Buffer) {
  yield bytes
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}

test.each([
  ['plain', false, 0.5],
  ['encrypted', true, 0.5],
  ['encrypted, before the end of the header', true, 0.001],
])('a backup whose connection breaks off is not called damaged: %s', async (name, isSealed, share) => {
  const [content, key] = [join(folder, name), join(folder, `key of ${name}`)]
  await mkdir(content)
  await writeFile(join(content, 'file'), Buffer.alloc(300_000, 'of a backup'))
  const packed = join(folder, `${name}.tar${isSealed ? '.age' : ''}`)
  await packArchive(content, packed, isSealed ? [await makeKey(key)] : [])
  const bytes = await readFile(packed)
  const archive = (source: Readable) => unpackArchive({ name: packed, bytes: source }, content, key)
  const broken = Readable.from(breakingAfter(bytes.subarray(0, bytes.length * share)))
  await expect(archive(broken)).rejects.toThrow(`${packed} could not be read to its end (read ECONNRESET): try again.`)
  await expect(archive(Readable.from([bytes.subarray(0, 10_000)]))).rejects.toThrow('is damaged, or was cut off')
  await archive(Readable.from([bytes]))
})

test('an archive is whole at its own end, also if the end of its source comes later', async () => {
  const [content, packed] = [join(folder, 'small'), join(folder, 'small.tar')]
  await mkdir(content)
  await packArchive(content, packed, [])
  const source = new PassThrough()
  source.write(await readFile(packed))
  await expect(unpackArchive({ name: packed, bytes: source }, content, undefined)).resolves.toBeUndefined()
})
