// In charge of deciding what a change does to a task: which columns change, and what the activity shows. Pure.
import { isDeepStrictEqual } from 'node:util'
import { rollupNames } from '@atelier/contract/creatives.ts'
import { emptyVariant } from '@atelier/contract/empty-variant.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { generatedName, type NameInput, type NameTemplate, nameMembers, plannedNames } from '@atelier/contract/names.ts'
import type { TaskPatch, TaskVariant, TaskVariantWrite } from '@atelier/contract/tasks.ts'
import { startOfDifference } from '@atelier/contract/text-difference.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Selectable } from 'kysely'
import type { Stamp, TasksTable } from '../../platform/tables.ts'
import { enterStatus } from './workflow.ts'

export type TaskRow = Selectable<TasksTable>
/** Columns of a task that a write may set, with values in the form that the row stores. */
type Written = Partial<TaskRow>
type Change = { from: unknown; to: unknown }
export type Changes = Record<string, Change>

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

/**
 * Returns the changes in the form that the activity of a task shows: long values are shortened, and of the variants only those that
 * were added, removed or changed are told.
 */
export function describeChanges(before: TaskRow, changed: Written): Changes {
  const was: Record<string, unknown> = before
  const told = Object.entries(changed).filter(([member]) => !untold.has(member))
  const { variants } = changed
  return Object.fromEntries(
    told.map(([member, to]) => [
      member,
      member === 'variants' && variants ? changeOfVariants(before.variants, variants) : shortChange(was[member], to),
    ]),
  )
}

/**
 * Tells a change of the variants by the keys of those that were added, removed or changed, with the members that differ; members that
 * an added or removed variant leaves empty are left out. Once `longestList` is reached, further variants are told by their keys
 * alone. If only the order has changed, `from` and `to` are the keys in their order.
 */
function changeOfVariants(before: readonly TaskVariant[], after: readonly TaskVariant[]): Change {
  const [olds, news] = [byKey(before), byKey(after)]
  const told: { from: Members[]; to: Members[] } = { from: [], to: [] }
  let room = longestList
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [old, next] = [olds.get(key), news.get(key)]
    const differing = differingMembers(old ?? emptyVariant, next ?? emptyVariant)
    if (old && next && Object.keys(differing.to).length === 0) continue
    const parts = { from: old ? [{ key, ...differing.from }] : [], to: next ? [{ key, ...differing.to }] : [] }
    room -= JSON.stringify(parts).length
    told.from.push(...(room < 0 ? parts.from.map(() => ({ key })) : parts.from))
    told.to.push(...(room < 0 ? parts.to.map(() => ({ key })) : parts.to))
  }
  return told.from.length + told.to.length > 0 ? told : shortChange([...olds.keys()], [...news.keys()])
}

type Members = Record<string, unknown>

const byKey = (variants: readonly TaskVariant[]): ReadonlyMap<string, TaskVariant> =>
  new Map(variants.map((variant) => [variant.key, variant]))

/** The members in which two variants differ, apart from their keys, with what each of the two has there. */
function differingMembers(from: Members, to: Members): { from: Members; to: Members } {
  const names = Object.keys({ ...from, ...to }).filter(
    (name) => name !== 'key' && !isDeepStrictEqual(from[name], to[name]),
  )
  const changes = names.map((name) => [name, shortChange(from[name], to[name])] as const)
  return {
    from: Object.fromEntries(changes.map(([name, change]) => [name, change.from])),
    to: Object.fromEntries(changes.map(([name, change]) => [name, change.to])),
  }
}

/** The maximum lengths of a text, of the texts or variants of a list together, and of the JSON of any other value. */
const [longestText, longestList, longestJson] = [200, 8_000, 1_000]

/**
 * Shortens both values of a change. Of two long texts that begin alike, most of that beginning is left out, since the difference would
 * be cut off otherwise.
 */
function shortChange(from: unknown, to: unknown): Change {
  const areTexts = typeof from === 'string' && typeof to === 'string'
  const start = areTexts && Math.max(from.length, to.length) > longestText ? startOfDifference(from, to) : 0
  return { from: shortened(from, start), to: shortened(to, start) }
}

function shortened(value: unknown, start: number): unknown {
  if (typeof value === 'string') return shortText(value, start)
  if (typeof value !== 'object' || value === null) return value
  if (isTexts(value)) return shortList(value)
  const text = JSON.stringify(value)
  return text.length > longestJson ? shortText(text) : value
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

function shortText(text: string, start = 0): string {
  const end = text.length - start > longestText ? start + longestText : text.length
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`
}

/** Shortens the texts of a list, and replaces those that are too many by a mark. */
function shortList(texts: readonly string[]): string[] {
  const kept: string[] = []
  let room = longestList
  for (const text of texts.map((text) => shortText(text))) {
    room -= JSON.stringify(text).length
    if (room < 0) return [...kept, '…']
    kept.push(text)
  }
  return kept
}
