// Facts about the room that something planned needs on the disks it is written to.
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { keptFree, requireRoomFor } from './disk-room.ts'

const mebibyte = 1024 * 1024

test('what is planned for one disk is counted together, and room for the database is left on it', () => {
  const half = { folder: tmpdir(), bytes: 50 * mebibyte }
  const elsewhere = { folder: '/proc', bytes: 0 }
  const free = (bytes: number) => (folder: string) => (folder === '/proc' ? Number.POSITIVE_INFINITY : bytes)
  expect(() => requireRoomFor([half, elsewhere, half], free(100 * mebibyte + keptFree))).not.toThrow()
  expect(() => requireRoomFor([half, elsewhere, half], free(100 * mebibyte + keptFree - 1))).toThrow(
    `The disk of ${tmpdir()} has 227 MB free, and 228 MB are needed there. Make room on it.`,
  )
})
