// Facts about the folder of thumbnails: which thumbnails are removed first, and which are always removed.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thumbnailFolder } from './thumbnail-folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'atelier-thumbnails-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const name = (letter: string) => letter.repeat(64)
const ten = new Uint8Array(10)
const all = async (digests: readonly string[]) => new Set(digests)
const age = (letter: string, hours: number) => {
  const at = new Date(Date.now() - hours * 3_600_000)
  return utimes(path.join(root, letter.repeat(2), `${name(letter)}.webp`), at, at)
}

test('those looked at longest ago go first, those whose file is gone in any case', async () => {
  const folder = thumbnailFolder(root, 20)
  for (const letter of ['a', 'b', 'c', 'd']) await folder.keep(name(letter), ten)
  await age('a', 200)
  await age('b', 100)
  await age('c', 50)
  // `find` counts as a view, so from here on `a` was viewed more recently than `b` and `c`.
  expect(await folder.find(name('a'))).toHaveLength(10)
  await folder.sweep(async (digests) => new Set(digests.filter((digest) => digest !== name('d'))))
  const left = await Promise.all(['a', 'b', 'c', 'd'].map((letter) => folder.find(name(letter))))
  expect(left.map((bytes) => bytes !== null)).toEqual([true, false, true, false])
})

test('what a write left behind goes after an hour, what is being written stays', async () => {
  const folder = thumbnailFolder(root, 1000)
  await folder.keep(name('e'), ten)
  const place = path.join(root, 'ee')
  for (const part of ['old', 'young']) await writeFile(path.join(place, part), 'half of one')
  const before = new Date(Date.now() - 2 * 3_600_000)
  await utimes(path.join(place, 'old'), before, before)
  await folder.sweep(all)
  expect(await readdir(place)).toEqual([`${name('e')}.webp`, 'young'])
})

test('a bound of nothing keeps nothing', async () => {
  const folder = thumbnailFolder(root, 0)
  await folder.keep(name('f'), ten)
  expect(await folder.find(name('f'))).toBe(null)
  await folder.sweep(all)
  expect(await folder.find(name('e'))).toBe(null)
})

test('a sweep asks for no files where there are none, and leaves files of other programs alone', async () => {
  const beside = path.join(root, 'beside')
  const folder = thumbnailFolder(beside, 10)
  await mkdir(path.join(beside, 'aa'), { recursive: true })
  await writeFile(path.join(beside, '.DS_Store'), 'of a file manager')
  await writeFile(path.join(beside, 'aa', 'half'), 'half of one')
  await folder.sweep(async (digests) => {
    expect(digests).not.toEqual([])
    return new Set(digests)
  })
  expect(await readdir(beside)).toEqual(['.DS_Store', 'aa'])
})

test('a folder that is not there yet is empty', async () => {
  const folder = thumbnailFolder(path.join(root, 'nowhere'), 10)
  expect(await folder.find(name('a'))).toBe(null)
  await folder.sweep(all)
})
