// Facts about storing the bytes of files in a local folder.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byteStoreFacts, store } from '../../test/support/byte-store-facts.ts'
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
