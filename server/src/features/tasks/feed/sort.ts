// In charge of the `sort` parameter: parsing it, checking that the feed can be sorted by its field, and the SQL for sorting.
import { defaultSort, type Feed, type Sort, type SortName, sortFields } from '@atelier/contract/sort-fields.ts'
import { Invalid, invalidAt, type ValidationError } from '@atelier/contract/wire/errors.ts'
import {
  errorAt,
  extraForbidden,
  jsonInvalid,
  missing,
  notOneOf,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'
import { echo } from '../../../platform/error-list.ts'

/**
 * SQL for each sort field. `key`: the indexed expression; `type`: the type of the key; `text`: converts the key (column `k`) to the
 * text in a cursor.
 */
export const sortKeys: Record<SortName, { key: string; type: string; text: string }> = {
  created_at: { key: 't.created_at', type: 'timestamptz', text: 'iso(k)' },
  updated_at: { key: 't.updated_at', type: 'timestamptz', text: 'iso(k)' },
  deleted_at: { key: 't.deleted_at', type: 'timestamptz', text: 'iso(k)' },
  number: { key: 't.number', type: 'integer', text: 'k::text' },
  // The case-folded name is sorted by code point, so that the order is the same in both kinds of database, whatever their locale.
  name: { key: 't.name_key', type: 'text collate "C"', text: 'k' },
  status: { key: 't.status', type: 'task_status', text: 'k::text' },
  priority: { key: 't.priority', type: 'integer', text: 'k::text' },
  deadline_at: { key: 't.deadline_at', type: 'timestamptz', text: 'iso(k)' },
  launched_at: { key: 't.launched_at', type: 'timestamptz', text: 'iso(k)' },
  completed_at: { key: 't.completed_at', type: 'timestamptz', text: 'iso(k)' },
  creation_points: { key: 't.creation_points', type: 'integer', text: 'k::text' },
}

export const isNullable = (name: SortName): boolean =>
  sortFields.find((field) => field.name === name)?.nullable ?? false

/** Parses the `sort` parameter; returns the default sort of the feed if there is none. Throws `Invalid` with all errors. */
export function parseSort(raw: string | undefined, feed: Feed): Sort {
  if (raw === undefined) return defaultSort[feed]
  const members = readMembers(raw)
  const names = sortFields.filter((field) => field.feeds.some((there) => there === feed)).map(({ name }) => name)
  const field = names.find((name) => name === members.get('field'))
  const direction = members.get('direction')
  if (field && (direction === 1 || direction === -1) && members.size === 2) return { field, direction }
  const errors: ValidationError[] = []
  if (!field) errors.push(refuseMember(members, 'field', 'enum', names))
  if (direction !== 1 && direction !== -1) errors.push(refuseMember(members, 'direction', 'literal_error', [1, -1]))
  for (const [name, input] of members) {
    if (name === 'field' || name === 'direction') continue
    const loc = ['query', 'sort', name.slice(0, 100).toWellFormed()]
    errors.push(errorAt(loc, extraForbidden, echo(input)))
  }
  throw new Invalid(errors)
}

function readMembers(raw: string): Map<string, unknown> {
  const loc = ['query', 'sort']
  try {
    const value: unknown = JSON.parse(raw)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value))
  } catch (cause) {
    const error = cause instanceof Error ? cause.message.toWellFormed() : 'not JSON'
    throw invalidAt(loc, jsonInvalid(error), echo(raw))
  }
  throw invalidAt(loc, wrongType.model, echo(raw))
}

function refuseMember(
  members: Map<string, unknown>,
  name: string,
  type: 'enum' | 'literal_error',
  allowed: readonly unknown[],
): ValidationError {
  const loc = ['query', 'sort', name]
  if (!members.has(name)) return errorAt(loc, missing, echo(Object.fromEntries(members)))
  return errorAt(loc, notOneOf(allowed, type), echo(members.get(name)))
}
