// Facts about how much room a copy of a store needs, and about names of what a disk cannot read.
import { expect, test } from 'vitest'
import type { ByteStore, Placed } from '../byte-store.ts'
import { isAmong, roomForCopy } from './listing.ts'

const holding = (files: readonly Placed[]): ByteStore => ({
  list: async function* () {
    yield* files
  },
  ...({} as Omit<ByteStore, 'list'>),
})

test('files and folders take whole blocks of a disk, and whole records of an archive', async () => {
  const beside = 'ab12'.padEnd(64, '0')
  const files = [
    { digest: beside, size: 4096 },
    { digest: beside.replace(/0$/, '1'), size: 4097 },
    { digest: 'ab34'.padEnd(64, '0'), size: 1 },
  ]
  expect(await roomForCopy(holding(files))).toEqual({
    folder: (1 + 2 + 1) * 4096 + 3 * 4096,
    archive: (8 + 9 + 1) * 512 + 3 * 512 + 3 * 512,
  })
  expect(await roomForCopy(holding([]))).toEqual({ folder: 0, archive: 0 })
})

test('a file is among names by its digest and by its folders', () => {
  const digest = 'ab12'.padEnd(64, '0')
  for (const name of [digest, 'ab/', 'ab/12/']) expect(isAmong(new Set([name]), digest), name).toBe(true)
  expect(isAmong(new Set(['ab', 'ac/', 'ab/13/', digest.replace(/0$/, '1')]), digest)).toBe(false)
})
