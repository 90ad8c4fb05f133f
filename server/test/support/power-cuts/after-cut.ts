// In charge of the states in which a disk may be after a power cut: all synced data is there, and any part of the other data.
//
// Files are written in blocks. If a block was written after its file's last sync, the disk has the block's earlier content or the
// content after any of these writes, independently for each block, since a disk may reorder or lose writes. File system changes
// that are journaled (files created, moved, removed, resized) reach the disk in order, but a tail of them may be missing; a synced
// change and all journaled changes before it are never missing.
import type { Operation } from './recorded-folder.ts'

/** The disk writes each block of this size wholly or not at all; a PostgreSQL page has two blocks, so half a page can be lost. */
const blockBytes = 4096

type Block = { file: number; block: number; versions: number[] }
/** The operations before a power cut, and which of their effects may be missing on the disk. */
export type Cut = {
  operations: readonly Operation[]
  /** Indexes in `operations` of journaled changes that may be missing on the disk. */
  journaled: number[]
  blocks: Block[]
}

/** What is uncertain if the power is cut after the first `length` operations. */
export function cutAfter(all: readonly Operation[], length: number): Cut {
  const operations = all.slice(0, length)
  const syncedAt = new Map<number, number>()
  const folderSyncedAt = new Map<string, number>()
  operations.forEach((one, index) => {
    if (one.kind === 'sync') syncedAt.set(one.file, index)
    if (one.kind === 'syncFolder') folderSyncedAt.set(one.path, index)
  })
  const blocks = new Map<string, Block>()
  const journaled: number[] = []
  // When a sync makes a change durable, all journaled changes before that change are durable too.
  let lastDurable = -1
  operations.forEach((one, index) => {
    const isSynced = (file: number): boolean => index < (syncedAt.get(file) ?? -1)
    if (one.kind === 'write' && !isSynced(one.file)) {
      for (const block of blocksOf(one)) {
        const key = `${one.file}/${block}`
        const found = blocks.get(key) ?? { file: one.file, block, versions: [] }
        found.versions.push(index)
        blocks.set(key, found)
      }
    }
    if (!isJournaled(one)) return
    journaled.push(index)
    const isThere = foldersOf(one).some((folder) => index < (folderSyncedAt.get(folder) ?? -1))
    if (isThere || ('file' in one && isSynced(one.file))) lastDurable = index
  })
  return { operations, journaled: journaled.filter((index) => index > lastDurable), blocks: [...blocks.values()] }
}

/** One possible disk state: how many of the uncertain journaled changes, and how many writes of each block, are on the disk. */
export type Choice = { journaled: number; blocks: readonly number[] }

/** The number of possible disk states. */
export const countOf = ({ journaled, blocks }: Cut): number =>
  blocks.reduce((count, { versions }) => count * (versions.length + 1), journaled.length + 1)

/** The possible disk state with this number, which is from 0 to `countOf` - 1. */
export function choiceAt({ journaled, blocks }: Cut, number: number): Choice {
  let left = Math.floor(number / (journaled.length + 1))
  const chosen = blocks.map(({ versions }) => {
    const one = left % (versions.length + 1)
    left = Math.floor(left / (versions.length + 1))
    return one
  })
  return { journaled: number % (journaled.length + 1), blocks: chosen }
}

/** How likely a block has all of its writes, and how likely it has none; otherwise it has a random number of them. */
const leanings = [
  { all: 0.05, none: 0.9 },
  { all: 0.4, none: 0.3 },
  { all: 0.9, none: 0.05 },
] as const

/**
 * A random disk state. One draw for all blocks decides whether most of them have none, some or all of their writes, because extreme
 * states reveal more faults.
 */
export function choiceBy({ journaled, blocks }: Cut, random: () => number): Choice {
  const { all, none } = leanings[Math.floor(random() * leanings.length)] ?? leanings[1]
  const pick = (most: number): number => {
    const drawn = random()
    if (drawn < all) return most
    return drawn < all + none ? 0 : Math.floor(random() * (most + 1))
  }
  return { journaled: pick(journaled.length), blocks: blocks.map(({ versions }) => pick(versions.length)) }
}

/** The files that existed before the first operation (file number → path), and a function that reads such a file. */
export type Base = { present: ReadonlyMap<number, string>; read(path: string): Buffer }

/** How the disk differs from `base`: path → the bytes of the file, or null if it was removed; and the new folders. */
export function diskAfter(
  cut: Cut,
  choice: Choice,
  base: Base,
): { files: Map<string, Buffer | null>; folders: string[] } {
  const lost = new Set(cut.journaled.slice(choice.journaled))
  const contents = contentsAfter(cut, { choice, lost }, base)
  const { paths, gone, folders } = namesAfter(cut, lost, base)
  const files = new Map<string, Buffer | null>([...gone].map((path) => [path, null]))
  for (const [path, file] of paths) {
    const was = base.present.get(file)
    const content = contents.get(file)
    if (content) files.set(path, content)
    else if (was !== path) files.set(path, was === undefined ? Buffer.alloc(0) : base.read(was))
  }
  return { files, folders }
}

/** The bytes of the files that were written or resized, by file number. */
function contentsAfter(
  { operations, blocks }: Cut,
  { choice, lost }: { choice: Choice; lost: ReadonlySet<number> },
  { present, read }: Base,
): Map<number, Buffer> {
  const missing = new Map(
    blocks.map(({ file, block, versions }, at) => [
      `${file}/${block}`,
      new Set(versions.slice(choice.blocks[at] ?? 0)),
    ]),
  )
  const contents = new Map<number, Buffer>()
  const contentOf = (file: number): Buffer => {
    const path = present.get(file)
    return contents.get(file) ?? (path === undefined ? Buffer.alloc(0) : read(path))
  }
  operations.forEach((one, index) => {
    if (one.kind === 'resize' && !lost.has(index)) contents.set(one.file, resized(contentOf(one.file), one.size))
    if (one.kind !== 'write') return
    for (const block of blocksOf(one)) {
      if (!missing.get(`${one.file}/${block}`)?.has(index))
        contents.set(one.file, withBlock(contentOf(one.file), one, block))
    }
  })
  return contents
}

/** Path → file number after the operations, the paths that were removed, and the folders that were created. */
function namesAfter({ operations }: Cut, lost: ReadonlySet<number>, { present }: Base) {
  const paths = new Map([...present].map(([file, path]) => [path, file]))
  const gone = new Set<string>()
  const folders: string[] = []
  operations.forEach((one, index) => {
    if (lost.has(index)) return
    if (one.kind === 'folder') folders.push(one.path)
    if (one.kind === 'make') paths.set(one.path, one.file)
    if (one.kind === 'rename') paths.set(one.to, one.file)
    const left = one.kind === 'remove' ? one.path : one.kind === 'rename' ? one.from : null
    if (left === null) return
    paths.delete(left)
    gone.add(left)
  })
  return { paths, gone, folders }
}

type Write = Extract<Operation, { kind: 'write' }>
type Journaled = Extract<Operation, { kind: 'make' | 'folder' | 'remove' | 'rename' | 'resize' }>

const kinds = new Set<Operation['kind']>(['make', 'folder', 'remove', 'rename', 'resize'])
const isJournaled = (one: Operation): one is Journaled => kinds.has(one.kind)

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
/** The folders whose sync makes the change durable. */
const foldersOf = (one: Journaled): string[] =>
  one.kind === 'resize' ? [] : [folderOf(one.kind === 'rename' ? one.to : one.path)]

function blocksOf({ at, bytes }: Write): number[] {
  if (bytes.length === 0) return []
  const [first, last] = [Math.floor(at / blockBytes), Math.floor((at + bytes.length - 1) / blockBytes)]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Applies the part of a write that falls into one block. */
function withBlock(content: Buffer, { at, bytes }: Write, block: number): Buffer {
  const from = Math.max(at, block * blockBytes)
  const to = Math.min(at + bytes.length, (block + 1) * blockBytes)
  const next = resized(content, Math.max(content.length, to))
  bytes.copy(next, from, from - at, to - at)
  return next
}

/** Cuts or pads the content to this size. If it has the size, returns it uncopied: small writes to large files stay cheap. */
function resized(content: Buffer, size: number): Buffer {
  if (content.length === size) return content
  if (size < content.length) return Buffer.from(content.subarray(0, size))
  return Buffer.concat([content, Buffer.alloc(size - content.length)])
}
