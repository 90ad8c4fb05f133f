// Facts about unpacking an archive of a backup: whether the archive or the disk is at fault.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { unpackArchive } from './archive.ts'
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
