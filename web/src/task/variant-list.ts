// In charge of changes to the list of variants. Pure.
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { ChangedMeanwhile } from './conflict.ts'

/** The list with this variant in place of the one with the same key, or added; sorted by number. */
export function withVariant(variants: readonly TaskVariant[], key: string, next: TaskVariant): TaskVariant[] {
  return [...variants.filter((variant) => variant.key !== key), next].toSorted(
    (a, b) => a.variation_num - b.variation_num,
  )
}

/**
 * The list with one member of a shown variant changed. The variant is found by its number, since its key may have changed.
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

/** A new variant with the next number and a free key. */
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

/** The default variant of a run: the only variant of the task. Null: the run is for the whole task. */
export const onlyVariant = (variants: readonly TaskVariant[]): number | null =>
  variants.length === 1 ? (variants[0]?.variation_num ?? null) : null
