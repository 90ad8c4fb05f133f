// In charge of finding where two outputs of a node differ: inside lists and objects, down to the members that differ. Pure.
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { isReference, keyAsMade } from '@atelier/contract/wire/values.ts'
import { sameValue } from '../canvas/diff.ts'

/** A place where two values differ: what stands there in each, or `undefined` where one of them has no such place. */
export type Differing = { path: readonly (string | number)[]; sides: readonly [unknown, unknown] }

/** `equal`: how many members are left out because they are equal; what is inside of an equal member is not counted. */
export type ValueDiff = { differing: Differing[]; equal: number }

/** Below this depth, a value is compared as a whole, which keeps the paths short enough to be read. */
const deepest = 8

/** Looks at each member once, because a value may have thousands of them. */
export function valueDiff(one: unknown, other: unknown): ValueDiff {
  const { found, steps } = diffInSteps(one, other)
  for (const _ of steps);
  return found
}

/** As `valueDiff`, for values of any size: `found` is whole at the end of the `steps`, each of which takes no noticeable time. */
export function diffInSteps(one: unknown, other: unknown): { found: ValueDiff; steps: Iterable<void> } {
  const found: ValueDiff = { differing: [], equal: 0 }
  return { found, steps: compare([], one, other, found) }
}

/** `path` is extended while a member is compared, and copied only where something differs. */
function* compare(path: (string | number)[], one: unknown, other: unknown, found: ValueDiff): Generator<void> {
  const names = path.length < deepest ? namesIn(one, other) : null
  if (names === null) {
    if (!sameValue(one, other)) found.differing.push({ path: [...path], sides: [one, other] })
    return
  }
  for (const [index, name] of names.entries()) {
    const before = { differing: found.differing.length, equal: found.equal }
    path.push(name)
    yield* compare(path, memberOf(one, name), memberOf(other, name), found)
    path.pop()
    if (found.differing.length === before.differing) found.equal = before.equal + 1
    if (index % 100 === 0) yield
  }
}

/** The members of both values if they can be compared one by one: of two lists, or of two objects that are shown by their members. */
function namesIn(one: unknown, other: unknown): (string | number)[] | null {
  if (!isContainer(one) || !isContainer(other)) return null
  if (Array.isArray(one) && Array.isArray(other)) return [...Array(Math.max(one.length, other.length)).keys()]
  if (!hasMembers(one) || !hasMembers(other)) return null
  return [...Object.keys(one), ...Object.keys(other).filter((name) => !Object.hasOwn(one, name))]
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isPlainObject(value) && !isFileValue(value) && !isReference(value)

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof name === 'number') return Array.isArray(value) ? value[name] : undefined
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** A path in words, such as `item 3 › title`; empty for the value itself. */
export const pathWords = (path: Differing['path']): string =>
  path.map((part) => (typeof part === 'number' ? `item ${part + 1}` : keyAsMade(part))).join(' › ')

/** What is left out of a side by side view, in words; null if nothing is. */
export const leftOutWords = ({ equal }: ValueDiff): string | null =>
  equal === 0 ? null : `${equal.toLocaleString('en')} equal ${equal === 1 ? 'member' : 'members'} left out`
