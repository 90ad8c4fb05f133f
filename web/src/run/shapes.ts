// In charge of choosing how to display a value: as one or several files, a text, a list, a table, or the named members of an
// object. In the place of a value that is too long, the state of a run contains a reference to the value. Pure.
import { type FileValue, isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { isReference, keyAsMade, type ValueReference } from '@atelier/contract/wire/values.ts'

export type Shape =
  | { kind: 'nothing' }
  | { kind: 'reference'; reference: ValueReference }
  | { kind: 'file'; file: FileValue }
  | { kind: 'files'; files: FileValue[] }
  | { kind: 'text'; text: string }
  | { kind: 'list'; entries: unknown[] }
  | { kind: 'table'; columns: string[]; rows: Readonly<Record<string, unknown>>[] }
  | { kind: 'members'; members: [string, unknown][] }

const columnsAtMost = 12

export function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined) return { kind: 'nothing' }
  if (isFileValue(value)) return { kind: 'file', file: value }
  if (isReference(value)) return { kind: 'reference', reference: value }
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (Array.isArray(value)) return listShape(value)
  if (isPlainObject(value))
    return { kind: 'members', members: Object.entries(value).map(([name, member]) => [keyAsMade(name), member]) }
  return { kind: 'text', text: JSON.stringify(value) }
}

function listShape(list: unknown[]): Shape {
  const filled = list.filter((element) => element !== null)
  if (filled.length > 0 && filled.every(isFileValue)) return { kind: 'files', files: filled.filter(isFileValue) }
  const rows = list.filter((element) => isPlainObject(element) && !isReference(element)).filter(isPlainObject)
  const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))]
  const isTable = rows.length > 0 && rows.length === list.length && columns.length <= columnsAtMost
  return isTable ? { kind: 'table', columns, rows } : { kind: 'list', entries: list }
}

/** Returns a value as one line of text, for the cell of a table. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (isFileValue(value)) return value.name ?? value.media_type
  if (isReference(value)) return `${value.$value.head}…`
  return JSON.stringify(value)
}
