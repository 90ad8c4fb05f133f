// In charge of changing the list of a task's variants: adding, replacing and editing a variant. Pure.
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { ChangedMeanwhile, mayRepeat } from '../lib/conflict.ts'

/** Makes the changed list of the list as it is at the moment of saving, which others may have changed. Throws if it cannot. */
export type VariantsChange = (variants: readonly TaskVariant[]) => readonly TaskVariant[]

const inOrder = (variants: readonly TaskVariant[]): TaskVariant[] =>
  variants.toSorted((a, b) => a.variation_num - b.variation_num)

/**
 * Adds the variant `next`, which the user has made of `proposed`. If somebody else has taken the key or the number of `proposed`
 * meanwhile, the variant gets free ones, except where the user has chosen the key or the number. If the list contains the variant
 * already, because it was saved and only the answer of the service was lost, the list stays as it is.
 */
export function withAdded(variants: readonly TaskVariant[], proposed: TaskVariant, next: TaskVariant): TaskVariant[] {
  if (variants.some((variant) => textOf(variant) === textOf(next))) return [...variants]
  const isTaken = variants.some(
    ({ key, variation_num }) => key === proposed.key || variation_num === proposed.variation_num,
  )
  const { key, variation_num } = isTaken ? nextVariant(variants) : proposed
  const added = {
    ...next,
    key: next.key === proposed.key ? key : next.key,
    variation_num: next.variation_num === proposed.variation_num ? variation_num : next.variation_num,
  }
  return inOrder([...variants, added])
}

/**
 * Returns the list with those members of a variant changed in which `next` differs from `shown`. The variant is found by its
 * number, since its key may have changed. Throws if somebody else has changed one of these members or removed the variant.
 */
export function withEdited(variants: readonly TaskVariant[], shown: TaskVariant, next: TaskVariant): TaskVariant[] {
  const now = variants.find(({ variation_num }) => variation_num === shown.variation_num)
  if (!now) throw new Error(`Variant ${shown.key} is not there any more: somebody has removed it.`)
  const before: Readonly<Record<string, unknown>> = shown
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name])
  const change = Object.fromEntries(Object.entries(next).filter(isChanged))
  // The change may be saved already, if only the answer of the service was lost.
  if (!mayRepeat(shown, now, change) && !mayRepeat(next, now, change)) throw new ChangedMeanwhile()
  return inOrder(variants.map((variant) => (variant === now ? { ...variant, ...change } : variant)))
}

/**
 * Returns the list without a variant, which is found by its number, and the variant as it was; null if it was removed before. Throws
 * if the variant is none of those that the user has `seen`, because somebody else has edited it: what they wrote would otherwise be
 * removed unseen.
 */
export function withRemoved(
  variants: readonly TaskVariant[],
  ...seen: readonly [TaskVariant, ...TaskVariant[]]
): { variants: TaskVariant[]; removed: TaskVariant | null } {
  const now = variants.find(({ variation_num }) => variation_num === seen[0].variation_num)
  if (now && !seen.some((variant) => textOf(variant) === textOf(now))) throw new ChangedMeanwhile()
  return { variants: variants.filter((variant) => variant !== now), removed: now ?? null }
}

/**
 * Throws if a change from `now` to `next`, which the user has made looking at the list `seen`, would replace what somebody else has
 * written since then: the change adds no variant that somebody else has removed, and touches no member that they have changed.
 */
export function checkSeen(
  seen: readonly TaskVariant[],
  now: readonly TaskVariant[],
  next: readonly TaskVariant[],
): void {
  const membersOf = (list: readonly TaskVariant[], key: string): Readonly<Record<string, unknown>> =>
    list.find((variant) => variant.key === key) ?? {}
  for (const variant of next) {
    const [was, is] = [membersOf(seen, variant.key), membersOf(now, variant.key)]
    const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(is[name])
    const change = Object.fromEntries(Object.entries(variant).filter(isChanged))
    if (!mayRepeat(was, is, change)) throw new ChangedMeanwhile()
  }
}

/**
 * Undoes a change from `before` to `after` in the list `now`. Variants are found by their keys; all variants that the change did
 * not touch stay as they are. Throws if somebody has edited or removed a variant that the change added or replaced.
 */
export function withoutChange(
  now: readonly TaskVariant[],
  { before, after }: { before: readonly TaskVariant[]; after: readonly TaskVariant[] },
): TaskVariant[] {
  const [textsBefore, textsAfter, textsNow] = [before, after, now].map(
    (list) => new Map(list.map((variant) => [variant.key, textOf(variant)])),
  )
  const keys = [...before, ...after].map(({ key }) => key)
  const changed = new Set(keys.filter((key) => textsBefore?.get(key) !== textsAfter?.get(key)))
  for (const key of changed) if (textsNow?.get(key) !== textsAfter?.get(key)) throw new ChangedMeanwhile()
  return inOrder([...now.filter(({ key }) => !changed.has(key)), ...before.filter(({ key }) => changed.has(key))])
}

/** Returns a text that is the same for equal variants. `completed` is left out, because the server derives it. */
const textOf = ({ key, variation_num, ...members }: TaskVariant): string =>
  JSON.stringify([key, variation_num, { ...emptyVariant, ...members, completed: undefined }])

/** Returns a new variant with the next number, and with a key that no other variant has. */
export function nextVariant(variants: readonly TaskVariant[]): TaskVariant {
  const variation_num = Math.max(0, ...variants.map((variant) => variant.variation_num)) + 1
  const keys = new Set(variants.map(({ key }) => key))
  let key = `v${variation_num}`
  for (let at = 2; keys.has(key); at += 1) key = `v${variation_num}-${at}`
  return {
    key,
    variation_num,
    ...emptyVariant,
  }
}

/** Returns the number of the task's only variant, as the default choice for a run; null stands for the whole task. */
export const onlyVariant = (variants: readonly TaskVariant[]): number | null =>
  variants.length === 1 ? (variants[0]?.variation_num ?? null) : null
