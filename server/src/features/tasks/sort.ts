// In charge of the `sort` parameter: parsed, checked against the sort fields of the feed, and its SQL.
import { Invalid, type ValidationError } from '@atelier/contract/errors.ts'
import { defaultSort, type Feed, type Sort, type SortName, sortFields } from '@atelier/contract/sort-fields.ts'

/** Each sort field as SQL: the indexed key, and the type a cursor's text is read back as. */
export const sortKeys: Record<SortName, { key: string; type: string; text: string }> = {
  created_at: { key: 't.created_at', type: 'timestamptz', text: 'iso(k)' },
  updated_at: { key: 't.updated_at', type: 'timestamptz', text: 'iso(k)' },
  deleted_at: { key: 't.deleted_at', type: 'timestamptz', text: 'iso(k)' },
  number: { key: 't.number', type: 'integer', text: 'k::text' },
  // The case-folded name by code point: alike on both databases, whatever their locale.
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

/** The sort of a request; absent: the feed's own. Throws `Invalid` with everything that is wrong with it. */
export function parseSort(raw: string | undefined, feed: Feed): Sort {
  if (raw === undefined) return defaultSort[feed]
  let value: unknown
  try {
    value = raw.length > 1000 ? undefined : JSON.parse(raw)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON'
    throw new Invalid([
      { type: 'json_invalid', loc: ['query', 'sort'], msg: `Invalid JSON: ${why}`, input: raw, ctx: { error: why } },
    ])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Invalid([
      {
        type: 'model_attributes_type',
        loc: ['query', 'sort'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
        input: raw.slice(0, 200),
      },
    ])
  }
  const members = new Map<string, unknown>(Object.entries(value))
  const names = sortFields.filter((field) => field.feeds.some((there) => there === feed)).map(({ name }) => name)
  const field = names.find((name) => name === members.get('field'))
  const direction = members.get('direction')
  const errors = [
    ...(field
      ? []
      : [
          refuseMember(
            members,
            'field',
            names.map((name) => `'${name}'`),
          ),
        ]),
    ...(direction === 1 || direction === -1 ? [] : [refuseMember(members, 'direction', ['1', '-1'])]),
    ...[...members.keys()]
      .filter((name) => name !== 'field' && name !== 'direction')
      .map((name) => ({
        type: 'extra_forbidden',
        loc: ['query', 'sort', name],
        msg: 'Extra inputs are not permitted',
        input: members.get(name),
      })),
  ]
  if (errors.length > 0 || !field || (direction !== 1 && direction !== -1)) throw new Invalid(errors)
  return { field, direction }
}

function refuseMember(members: Map<string, unknown>, name: string, allowed: string[]): ValidationError {
  const loc = ['query', 'sort', name]
  if (!members.has(name)) return { type: 'missing', loc, msg: 'Field required', input: Object.fromEntries(members) }
  const expected = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`
  const type = name === 'field' ? 'enum' : 'literal_error'
  return { type, loc, msg: `Input should be ${expected}`, input: members.get(name), ctx: { expected } }
}
