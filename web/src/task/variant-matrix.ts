// In charge of making a variant for each combination of chosen values that no variant of the task has yet. Pure.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { nextVariant } from './variant-list.ts'

/** The chosen values of each member. If a member has none, it stays empty in the new variants, and the task's value applies. */
export type Matrix = Readonly<Record<'messaging_angle' | 'hook_type' | 'ad_format', readonly string[]>>

/** The largest number of variants that a task may have. */
export const mostVariants = taskLimits.variants

export function combinationsOf(matrix: Matrix): number {
  const sides = Object.values(matrix).filter((side) => side.length > 0)
  return sides.length === 0 ? 0 : sides.reduce((product, side) => product * side.length, 1)
}

/** Returns the present variants followed by the new ones; null if there would be more variants than a task may have. */
export function withMatrix(variants: readonly TaskVariant[], matrix: Matrix): TaskVariant[] | null {
  // Checked before any variant is made: if each member has hundreds of values, there are millions of combinations.
  const count = combinationsOf(matrix)
  if (count === 0) return [...variants]
  if (count > mostVariants) return null
  const orNone = (side: readonly string[]): readonly (string | null)[] => (side.length > 0 ? side : [null])
  const idOf = (variant: Pick<TaskVariant, keyof Matrix>) =>
    JSON.stringify([variant.messaging_angle, variant.hook_type, variant.ad_format])
  const known = new Set(variants.map(idOf))
  const all = [...variants]
  for (const messaging_angle of orNone(matrix.messaging_angle))
    for (const hook_type of orNone(matrix.hook_type))
      for (const ad_format of orNone(matrix.ad_format)) {
        const next = { messaging_angle, hook_type, ad_format }
        if (!known.has(idOf(next))) all.push({ ...nextVariant(all), ...next })
      }
  return all.length > mostVariants ? null : all
}
