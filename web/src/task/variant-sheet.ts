// In charge of reading variants from a pasted sheet: the member for each column, the variant for each row, and problems. Pure.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { tableOf } from '../lib/table-text.ts'
import type { Labelled } from '../lib/types.ts'
import { nextVariant } from './variant-list.ts'

export type Vocabularies = Readonly<Record<string, readonly Labelled[]>>

/** `next`: the variants after the sheet was applied; `problems`: sentences about the cells and rows that were left out. */
export type SheetReading = { next: TaskVariant[]; added: number; changed: number; problems: string[] }

type Column = { title: string; names: readonly string[] } & (
  | { member: 'key' | 'variation_num' | 'tag_slugs'; kind: 'own' }
  | {
      member: 'messaging_angle' | 'hook_type' | 'hook_trigger' | 'ad_format' | 'primary_anchor' | 'awareness_stage'
      kind: 'choice'
      vocabulary: string
    }
  | { member: 'audience' | 'description' | 'notes'; kind: 'text'; most: number }
)

const choice = (title: string, member: (Column & { kind: 'choice' })['member'], vocabulary: string): Column => ({
  ...{ title, member, vocabulary, kind: 'choice' },
  names: [title, member],
})
const text = (title: string, member: (Column & { kind: 'text' })['member'], most: number): Column => ({
  ...{ title, member, most, kind: 'text' },
  names: [title, member],
})

const columns: readonly Column[] = [
  { title: 'Key', names: ['key', 'variant'], member: 'key', kind: 'own' },
  { title: 'Number', names: ['number', 'no', '#', 'variation_num'], member: 'variation_num', kind: 'own' },
  choice('Angle', 'messaging_angle', 'MessagingAngle'),
  choice('Hook', 'hook_type', 'HookType'),
  choice('Trigger', 'hook_trigger', 'HookTrigger'),
  choice('Format', 'ad_format', 'AdFormat'),
  choice('Anchor', 'primary_anchor', 'PrimaryAnchor'),
  choice('Stage', 'awareness_stage', 'AwarenessStage'),
  text('Audience', 'audience', 255),
  text('Description', 'description', 20_000),
  text('Notes', 'notes', 20_000),
  { title: 'Tags', names: ['tags', 'tag_slugs'], member: 'tag_slugs', kind: 'own' },
]

/** The names of the columns, for the help text. */
export const sheetColumns = columns.map(({ title }) => title)

const plain = (words: string): string => words.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, '')

/**
 * Reads a sheet whose first row has the names of the columns. A row changes the variant that has the row's key or, if the row has
 * no key, the row's number; if there is no such variant, the row makes a new one. Empty cells change nothing.
 */
export function readVariantSheet(
  sheet: string,
  variants: readonly TaskVariant[],
  vocabularies: Vocabularies,
): SheetReading {
  const table = tableOf(sheet)
  const used = table.columns.map((name) => columns.find(({ names }) => names.some((one) => plain(one) === plain(name))))
  const reading: SheetReading = { next: [...variants], added: 0, changed: 0, problems: [] }
  if (used.every((column) => column === undefined)) {
    reading.problems.push(`The first row must name the columns, such as ${sheetColumns.slice(0, 6).join(', ')}.`)
    return reading
  }
  table.columns.forEach((name, at) => {
    if (!used[at]) reading.problems.push(`Column “${name}” is left out: it is none of ${sheetColumns.join(', ')}.`)
  })
  table.rows.forEach((cells, at) => {
    const given = new Map(used.flatMap((column, place) => (column && cells[place] ? [[column, cells[place]]] : [])))
    if (given.size > 0) readRow(reading, given, `Row ${at + 2}`, vocabularies)
  })
  reading.next.sort((one, other) => one.variation_num - other.variation_num)
  return reading
}

function readRow(reading: SheetReading, given: ReadonlyMap<Column, string>, row: string, known: Vocabularies): void {
  const cellOf = (member: string) => [...given].find(([column]) => column.member === member)?.[1]
  const number = numberOf(cellOf('variation_num'))
  if (number === 'wrong') {
    reading.problems.push(`${row} is left out: “${cellOf('variation_num')}” is no number from 1 to 10,000.`)
    return
  }
  const key = cellOf('key')
  const there = reading.next.find((one) => (key === undefined ? one.variation_num === number : one.key === key))
  if (!there && reading.next.length >= taskLimits.variants) {
    reading.problems.push(`${row} is left out: a task has at most ${taskLimits.variants} variants.`)
    return
  }
  const before = there ?? nextVariant(reading.next)
  const after = { ...before, ...(key === undefined ? {} : { key }), variation_num: number ?? before.variation_num }
  if (reading.next.some((one) => one !== there && one.variation_num === after.variation_num)) {
    reading.problems.push(`${row} is left out: another variant has the number ${after.variation_num}.`)
    return
  }
  if (after.key.length > 64) {
    reading.problems.push(`${row} is left out: its key is longer than 64 characters.`)
    return
  }
  for (const [column, cell] of given) {
    const problem = take(after, column, cell, known)
    if (problem) reading.problems.push(`${row}, ${column.title}: ${problem}`)
  }
  if (!there) {
    reading.next.push(after)
    reading.added += 1
  } else if (JSON.stringify(after) !== JSON.stringify(there)) {
    reading.next[reading.next.indexOf(there)] = after
    reading.changed += 1
  }
}

const numberOf = (cell: string | undefined): number | 'wrong' | undefined => {
  if (cell === undefined) return undefined
  const number = Number(/^v?(\d{1,5})$/i.exec(cell)?.[1] ?? 0)
  return number >= 1 && number <= taskLimits.variation_num ? number : 'wrong'
}

/** Writes a cell into its member of the variant and returns null. If its value is not allowed, returns a sentence about that. */
function take(variant: TaskVariant, column: Column, cell: string, known: Vocabularies): string | null {
  if (column.kind === 'choice') {
    const found = (known[column.vocabulary] ?? []).find((one) =>
      [one.value, one.label].some((word) => plain(word) === plain(cell)),
    )
    if (!found) return `“${cell.slice(0, 60)}” is not in the list, and is left out.`
    variant[column.member] = found.value
  } else if (column.kind === 'text') {
    if (cell.length > column.most) return `longer than ${column.most} characters, and left out.`
    variant[column.member] = column.member === 'audience' ? cell.replaceAll(/\s+/g, ' ') : cell
  } else if (column.member === 'tag_slugs') {
    const tags = [...new Set(cell.split(/[,;\n]/).map((tag) => tag.trim()))].filter((tag) => tag !== '')
    if (tags.length > 50 || tags.some((tag) => tag.length > 64)) return 'at most 50 tags of 64 characters; left out.'
    variant.tag_slugs = tags
  }
  return null
}
