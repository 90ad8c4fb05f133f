// Facts about storing the bytes of files in a local folder.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byteStoreFacts, store } from '../../test/support/byte-store-facts.ts'
import type { Placed } from './byte-store.ts'
import { fileFolder } from './file-folder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-files-'))
})
afterAll(() => rm(folder, { recursive: true }))

byteStoreFacts(() => fileFolder(folder))

test('a file lies under the first digits of its digest', async () => {
  const digest = await store(fileFolder(folder), 'where it lies')
  expect(await readFile(join(folder, digest.slice(0, 2), digest.slice(2, 4), digest), 'utf8')).toBe('where it lies')
})

test('what other programs leave on any level is no file, and a folder that is not there is told', async () => {
  const digest = await store(fileFolder(folder), 'beside others')
  const at = [folder, path(digest, 1), path(digest, 2)]
  for (const place of at) await writeFile(join(place, '.DS_Store'), 'x')
  await writeFile(join(path(digest, 2), `${'0'.repeat(64)}`), 'a digest of another place')
  await writeFile(join(path(digest, 1), 'zz'), 'x')
  await writeFile(join(folder, digest.startsWith('00') ? '01' : '00'), 'a file where a folder would be')
  const listed: Placed[] = []
  for await (const file of fileFolder(folder).list()) listed.push(file)
  expect(listed.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest) && !digest.startsWith('0000'))).toBe(true)
  expect(listed).toContainEqual({ digest, size: 13 })
  await fileFolder(folder).proveThere()
  await expect(fileFolder(join(folder, 'away')).proveThere()).rejects.toThrow('There is no folder of files at')
})

/** The folder of a file's first digits: of two, or of four. */
const path = (digest: string, depth: 1 | 2): string =>
  join(folder, digest.slice(0, 2), ...(depth === 2 ? [digest.slice(2, 4)] : []))
