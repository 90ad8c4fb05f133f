// Facts about storing the bytes of files in a local folder.
import fs, { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { byteStoreFacts, store } from '../../test/support/byte-store-facts.ts'
import { type Placed, pathOf } from './byte-store.ts'
import { fileFolder, Unreadable } from './file-folder.ts'
import { openFiles } from './open-files.ts'

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

test('a folder that cannot be used is told by the setting that says where it is', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const prepare = (files: string | null) =>
    openFiles({ files, dataDir: file, s3PathStyle: null, fileLinks: 'service' }).prepare()
  await expect(prepare(null)).rejects.toThrow(`The folder for files ${file}/files (ATELIER_DATA_DIR) cannot be used`)
  await expect(prepare(file)).rejects.toThrow(`The folder for files ${file} (ATELIER_FILES) cannot be used`)
})

const { stat, readdir } = fs
afterEach(() => {
  Object.assign(fs, { stat, readdir })
  syncBuiltinESMExports()
})

/** Lets the disk fail with an error when it is asked what a path of the folder is, or has. */
function failAt(errors: Record<string, Error>): void {
  const unless =
    (work: (path: string) => Promise<unknown>) =>
    async (path: string): Promise<unknown> => {
      const error = errors[path.slice(folder.length + 1)]
      if (error) throw error
      return work(path)
    }
  Object.assign(fs, { stat: unless(stat), readdir: unless(readdir) })
  syncBuiltinESMExports()
}

async function listInto(digests: string[]): Promise<void> {
  for await (const { digest } of fileFolder(folder).list()) digests.push(digest)
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })

test('what the disk cannot read is named once everything else was listed', async () => {
  const there: string[] = []
  for (let n = 0; n < 4; n += 1) there.push(await store(fileFolder(folder), `one of four, ${n}`))
  const [first = '', second = '', third = '', fourth = ''] = there
  failAt({
    [pathOf(first)]: failure('EIO'),
    // What Node.js says of EUCLEAN and EBADMSG.
    [pathOf(second).slice(0, 5)]: failure('Unknown system error -117'),
    [pathOf(third).slice(0, 2)]: failure('Unknown system error -74'),
  })
  const listed: string[] = []
  const refused = await listInto(listed).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Unreadable)
  expect(new Set((refused as Unreadable).names)).toEqual(
    new Set([first, `${pathOf(second).slice(0, 5)}/`, `${pathOf(third).slice(0, 2)}/`]),
  )
  expect(there.filter((digest) => listed.includes(digest))).toEqual([fourth])
})

test('another failure of the disk ends a list', async () => {
  const digest = await store(fileFolder(folder), 'of another user')
  failAt({ [pathOf(digest)]: failure('EACCES') })
  await expect(listInto([])).rejects.toMatchObject({ code: 'files_unavailable' })
})

/** The folder of a file's first digits: of two, or of four. */
const path = (digest: string, depth: 1 | 2): string =>
  join(folder, digest.slice(0, 2), ...(depth === 2 ? [digest.slice(2, 4)] : []))
