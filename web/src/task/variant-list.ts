// In charge of changing the list of a task's variants: adding, replacing and editing a variant. Pure.
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { ChangedMeanwhile } from './conflict.ts'

/** Replaces the variant with this key by `next`, or adds `next` if no variant has the key. Returns the list sorted by number. */
export function withVariant(variants: readonly TaskVariant[], key: string, next: TaskVariant): TaskVariant[] {
  return [...variants.filter((variant) => variant.key !== key), next].toSorted(
    (a, b) => a.variation_num - b.variation_num,
  )
}

/**
 * Returns the list with one member of a variant changed. The variant is found by its number, since its key may have changed.
 * Throws if somebody else has changed that member or removed the variant.
 */
export function withMember<Name extends keyof TaskVariant>(
  variants: readonly TaskVariant[],
  shown: TaskVariant,
  name: Name,
  value: TaskVariant[Name],
): TaskVariant[] {
  const now = variants.find(({ variation_num }) => variation_num === shown.variation_num)
  if (!now) throw new Error(`Variant ${shown.key} is not there any more: somebody has removed it.`)
  if (JSON.stringify(now[name]) !== JSON.stringify(shown[name])) throw new ChangedMeanwhile()
  return variants.map((variant) => (variant === now ? { ...variant, [name]: value } : variant))
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
  return [...now.filter(({ key }) => !changed.has(key)), ...before.filter(({ key }) => changed.has(key))].toSorted(
    (a, b) => a.variation_num - b.variation_num,
  )
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
