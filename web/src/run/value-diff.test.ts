// Facts about where two outputs of a node differ.
import { expect, test } from 'vitest'
import { leftOutWords, pathWords, valueDiff } from './value-diff.ts'

const file = (letter: string) => ({ digest: letter.repeat(64), media_type: 'image/png', size: 1, name: null })
const reference = (letter: string) => ({ $value: { digest: letter.repeat(64), bytes: 9, type: 'string', head: 'x' } })
const found = (one: unknown, other: unknown) =>
  valueDiff(one, other).differing.map(({ path, sides }) => [pathWords(path), ...sides])

test('inside objects and lists, only the members that differ are found, with what stands there on both sides', () => {
  const one = { title: 'Tea', scenes: [{ line: 'a', mood: 'calm' }, { line: 'b' }], size: { width: 1, height: 2 } }
  const other = { title: 'Tea', scenes: [{ line: 'a', mood: 'loud' }, { line: 'b' }], size: { width: 1, height: 3 } }
  expect(found(one, other)).toEqual([
    ['scenes › item 1 › mood', 'calm', 'loud'],
    ['size › height', 2, 3],
  ])
  // The title, the line of the first scene, the second scene, and the width.
  expect(valueDiff(one, other).equal).toBe(4)
})

test('what only one side has differs from nothing, also if it is empty', () => {
  expect(found({ a: null }, { b: [] })).toEqual([
    ['a', null, undefined],
    ['b', undefined, []],
  ])
  expect(found(['x'], ['x', 'y'])).toEqual([['item 2', undefined, 'y']])
})

test('files, long values and values of another kind are compared as wholes', () => {
  expect(found([file('a'), file('b')], [file('a'), file('c')])).toEqual([['item 2', file('b'), file('c')]])
  expect(found(reference('a'), reference('b'))).toEqual([['', reference('a'), reference('b')]])
  expect(found({ a: [1] }, { a: { 0: 1 } })).toEqual([['a', [1], { 0: 1 }]])
  expect(valueDiff(reference('a'), reference('a'))).toEqual({ differing: [], equal: 0 })
})

test('a member that is called like one of every object is no member of an object that lacks it', () => {
  expect(found({}, { constructor: 'x' })).toEqual([['constructor', undefined, 'x']])
})

test('an equal member counts once, whatever is in it; nothing is said of none', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, { at, deep: [at, at] }]))
  const diff = valueDiff(many, { ...many, m7: { at: 7, deep: [7, 8] } })
  expect(diff.differing.map(({ path }) => pathWords(path))).toEqual(['m7 › deep › item 2'])
  // 9,999 members of the object, `at` and the first element of `deep`.
  expect(leftOutWords(diff)).toBe('10,001 equal members left out')
  expect(leftOutWords(valueDiff({ a: 1, b: 2 }, { a: 1, b: 3 }))).toBe('1 equal member left out')
  expect(leftOutWords(valueDiff(1, 2))).toBe(null)
})

test('very deep values are compared as wholes below a depth', () => {
  const nested = (value: unknown, depth: number): unknown => (depth === 0 ? value : { in: nested(value, depth - 1) })
  const [differing] = valueDiff(nested(1, 30), nested(2, 30)).differing
  expect(differing?.path.length).toBe(8)
})
