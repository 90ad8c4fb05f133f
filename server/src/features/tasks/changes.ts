// In charge of deciding what a change does to a task: which columns change, and what the activity shows. Pure.
import { isDeepStrictEqual } from 'node:util'
import { rollupNames } from '@atelier/contract/creatives.ts'
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { generatedName, type NameInput, type NameTemplate, nameMembers, plannedNames } from '@atelier/contract/names.ts'
import type { TaskPatch, TaskVariant, TaskVariantWrite } from '@atelier/contract/tasks.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Selectable } from 'kysely'
import type { Stamp, TasksTable } from '../../platform/tables.ts'
import { enterStatus } from './workflow.ts'

export type TaskRow = Selectable<TasksTable>
/** Columns of a task that a write may set, with values in the form that the row stores. */
type Written = Partial<TaskRow>
export type Changes = Record<string, { from: unknown; to: unknown }>

/**
 * Members of a task that are copied to its creatives; so a change to one of them also updates the creatives. `locale` and `tags`
 * are left out, since a creative has its locale from the task's `language`, and its tags from its variant in `variants`.
 */
const rollupMembers = ['language', 'variants', ...rollupNames.filter((name) => name !== 'locale' && name !== 'tags')]

export const reachesCreatives = (changed: Written): boolean => rollupMembers.some((member) => member in changed)

/** Converts a patch to the form that the row stores: times in UTC, and variants with all their members. */
function toRow({ variants, deadline_at, launched_at, ...rest }: TaskPatch): Written {
  return {
    ...rest,
    ...(variants === undefined ? {} : { variants: variants.map(wholeVariant) }),
    ...(deadline_at === undefined ? {} : { deadline_at: instant(deadline_at) }),
    ...(launched_at === undefined ? {} : { launched_at: instant(launched_at) }),
  } as Written // TaskPatch has the columns' names and types, but also allows `undefined`
}

const instant = (at: string | null): Stamp | null => (at === null ? null : new Date(at).toISOString())

const wholeVariant = ({ key, variation_num, ...given }: TaskVariantWrite): TaskVariant => ({
  ...{ key, variation_num, ...emptyVariant },
  ...given,
})

/** Returns an error for each variant whose `key` or `variation_num` repeats that of an earlier variant in the patch. */
export function variantClashes({ variants = [] }: TaskPatch, at: (string | number)[]): ValidationError[] {
  return (['key', 'variation_num'] as const).flatMap((member) => {
    const seen = new Set<unknown>()
    return variants.flatMap((variant, index) => {
      if (!seen.has(variant[member])) {
        seen.add(variant[member])
        return []
      }
      const loc = [...at, 'variants', index, member]
      return [errorAt(loc, valueError(`${member} must be unique within the task`), variant[member])]
    })
  })
}

/**
 * Whether the patch may be applied as far as `launched_at` is concerned: it either leaves `launched_at` alone, or people set the
 * launch date of this task (`manual_launch`).
 */
export const launchedByHand = (task: Pick<TaskRow, 'manual_launch'>, patch: TaskPatch): boolean =>
  patch.launched_at === undefined || (patch.manual_launch ?? task.manual_launch)

type Naming = { template: NameTemplate; product: string | null }

/** Returns the columns that a patch made at `now` changes, derived columns included; the result is empty if nothing changes. */
export function decideChange(task: TaskRow, patch: TaskPatch, now: Stamp, naming: Naming): Written {
  const { status, ...rest } = toRow(patch)
  const moved = status ? { ...task, ...enterStatus(task, status, now) } : task
  const next = { ...moved, ...rest }
  return differing(task, namesDiffer(task, next, naming) ? { ...next, ...derivedNames(next, naming) } : next)
}

/**
 * Whether the names of a task have to be built again: something that they are built from changes, or the name template was changed
 * since they were built. The template is noticed by two names, because building ten thousand takes 12 ms.
 */
function namesDiffer(task: TaskRow, next: TaskRow, naming: Naming): boolean {
  const members = [...nameMembers, 'product_id'] as const
  if (members.some((member) => !isDeepStrictEqual(next[member], task[member]))) return true
  const start = { ...next, count: next.count && 1, variants: next.variants.slice(0, 1) }
  const { generated_name, planned_creative_names } = derivedNames(start, naming)
  return generated_name !== task.generated_name || planned_creative_names[0] !== task.planned_creative_names[0]
}

/** Computes the columns that are made from the task's name, or by the name template from members of the task. */
export function derivedNames(task: TaskRow, { template, product }: Naming) {
  const input: NameInput = { ...task, product }
  const generated = generatedName(template, input)
  return {
    generated_name: generated,
    search_text: `${foldText(task.name)}\n${foldText(generated)}`,
    planned_creative_names: plannedNames(template, input).map(({ name }) => name),
  }
}

function differing(before: TaskRow, after: TaskRow): Written {
  const was: Record<string, unknown> = before
  return Object.fromEntries(Object.entries(after).filter(([member, value]) => !isDeepStrictEqual(value, was[member])))
}

/** Derived columns that the activity does not show, since they follow from columns that the activity shows. */
const untold = new Set([
  'search_text',
  'planned_creative_names',
  'status_entered_at',
  'time_in_progress_seconds',
  'time_on_check_seconds',
  'return_count',
])

/** Returns the changes in the form that the activity of a task shows. Long texts are shortened. */
export function describeChanges(before: TaskRow, changed: Written): Changes {
  const was: Record<string, unknown> = before
  const told = Object.entries(changed).filter(([member]) => !untold.has(member))
  return Object.fromEntries(told.map(([member, to]) => [member, { from: shortened(was[member]), to: shortened(to) }]))
}

const longest = 200
const shortened = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest).toWellFormed()}…` : value
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > longest * 5 ? `${text.slice(0, longest).toWellFormed()}…` : value
}
