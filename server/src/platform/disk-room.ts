// In charge of keeping space free on the disk of the embedded database. If PostgreSQL cannot write its log, it can only stop, and
// PGlite then never returns from the next statement. So transactions that write are refused while there is still space for the log.
import { statfsSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from './operator-error.ts'

const mebibyte = 1024 * 1024
/**
 * Below this many free bytes, nothing new is written. It is enough for the log of a large transaction, and for what is written
 * outside of transactions: PostgreSQL makes the log in files of 16 MB.
 */
export const keptFree = 128 * mebibyte

/** Returns how many bytes this process may still write to the disk of a folder; infinite if it is not known. Takes about 1 µs. */
export function freeBytesOf(folder: string): number {
  const { bavail, blocks, bsize } = statfsSync(folder)
  // Some file systems do not tell their size, and report a disk without any blocks.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
}

/** Throws the error that PostgreSQL reports for a full disk if too few bytes are free on the disk of a folder. */
export function requireRoom(folder: string, free = freeBytesOf(folder)): void {
  if (free < keptFree) throw Object.assign(new Error(tooLittle(folder, free)), { code: diskFull })
}
/** PostgreSQL's SQLSTATE `disk_full`. */
export const diskFull = '53100'

/** Throws if there is too little space for a database in this folder to start. Every start writes a little. */
export function requireRoomToStart(folder: string, free: number): void {
  if (free < keptFree) throw new OperatorError(tooLittle(`${folder} (ATELIER_DATA_DIR)`, free))
}

const tooLittle = (folder: string, free: number): string =>
  `The disk of ${folder} has ${inMegabytes(free)} MB free, and nothing is written with less than ${inMegabytes(keptFree)} MB. Make room on it.`

/** Throws if the copy of a folder, and a compressed archive of the copy, would leave too little space on the disk of `to`. */
export async function requireRoomForCopy(folder: string, to: string, free = freeBytesOf(to)): Promise<void> {
  const needed = (await bytesIn(folder)) * 1.5 + keptFree
  if (free >= needed) return
  throw new Error(
    `The disk of ${to} has ${inMegabytes(free)} MB free, and a copy of ${folder} needs ${inMegabytes(needed)} MB.`,
  )
}

/** `folder`: an existing folder. `bytes`: how many are going to be written below it. */
type Planned = { folder: string; bytes: number }

/** Throws if what is planned would leave too little space on a disk. Several folders may be on one disk. */
export function requireRoomFor(planned: readonly Planned[], freeOf = freeBytesOf): void {
  for (const { folder } of planned) {
    const { dev } = statSync(folder)
    const here = planned.filter((one) => statSync(one.folder).dev === dev)
    const needed = here.reduce((sum, { bytes }) => sum + bytes, keptFree)
    const free = freeOf(folder)
    if (free >= needed) continue
    throw new OperatorError(
      `The disk of ${folder} has ${inMegabytes(free)} MB free, and ${inMegabytes(needed)} MB are needed there. Make room on it.`,
    )
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  // The database may remove a file meanwhile.
  const sizes = await Promise.all(
    files.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const inMegabytes = (bytes: number): number => Math.floor(bytes / mebibyte)
