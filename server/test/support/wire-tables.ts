// In charge of reading the contract's tables (wire-tables.md), and of checking responses against them.
import { readFileSync } from 'node:fs'
import { automationStates, nodeStatuses, taskStatuses, testStatuses } from '@atelier/contract/enums.ts'
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { defaultVocabulary, valuesOf } from '@atelier/contract/vocabulary.ts'

export type Field = { name: string; type: string; nullable: boolean }

const text = readFileSync(new URL('./wire-tables.md', import.meta.url), 'utf8')

/** Section heading → the fields of the table in that section of the file. */
export const tables: ReadonlyMap<string, readonly Field[]> = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .filter((section) => /^\| Field +\| Type +\|/m.test(section))
    .map((section) => [
      section.split('\n', 1)[0] ?? '',
      [...section.matchAll(/^\| ([a-z_]+) +\| ([^|]+?) +\|/gm)].map(toField),
    ]),
)

function toField([, name = '', rawType = '']: RegExpExecArray): Field {
  const type = rawType.replace(/,? ?\(?required\)?$/, '')
  return { name, type: type.replace(/ or null$/, ''), nullable: type.endsWith(' or null') }
}

export const fieldsOf = (table: string): readonly Field[] => {
  const fields = tables.get(table)
  if (!fields || fields.length === 0) throw new Error(`There is no table ${table}; correct the name.`)
  return fields
}

const enumerations: Record<string, readonly string[]> = {
  ...valuesOf(defaultVocabulary),
  TaskStatus: taskStatuses,
  TestStatus: testStatuses,
  AutomationState: automationStates,
  RunStatus: runStatuses,
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const scalars: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  any: () => true,
  object: isObject,
  // Every response is also checked against its schema, so here it is enough to look at the status.
  NodeRunState: (value) => isObject(value) && nodeStatuses.some((status) => status === value.status),
  'string or integer': (value) => typeof value === 'string' || Number.isInteger(value),
}

/** Everything in a value that breaks its table: members that are missing, unknown, null or of another type. */
export function faultsIn(table: string, value: unknown, at = table): string[] {
  if (!isObject(value)) return [`${at} is no object`]
  const fields = fieldsOf(table)
  const known = new Set(fields.map(({ name }) => name))
  return [
    ...Object.keys(value).flatMap((name) => (known.has(name) ? [] : [`${at}.${name} is not in the contract`])),
    ...fields.flatMap(({ name, type, nullable }) => {
      if (!Object.hasOwn(value, name)) return [`${at}.${name} is absent`]
      return value[name] === null && nullable ? [] : faultsOfType(type, value[name], `${at}.${name}`)
    }),
  ]
}

function faultsOfType(type: string, value: unknown, at: string): string[] {
  const list = /^\(?(.+?)\)?\[\]$/.exec(type)
  if (list) {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((item, index) => faultsOfType(list[1] ?? '', item, `${at}[${index}]`))
  }
  const map = /^object: \w+ id to (.+)$/.exec(type)
  if (map) {
    if (!isObject(value)) return [`${at} is no object`]
    return Object.entries(value).flatMap(([id, item]) => faultsOfEntry(map[1] ?? '', id, item, `${at}.${id}`))
  }
  if (tables.has(type)) return faultsIn(type, value, at)
  const allowed = enumerations[type]
  if (allowed) return typeof value === 'string' && allowed.includes(value) ? [] : [`${at} is no ${type}: ${value}`]
  const scalar = scalars[type]
  if (!scalar) throw new Error(`The contract's tables name a type ${type} that nobody can check.`)
  return scalar(value) ? [] : [`${at} is no ${type}: ${JSON.stringify(value)}`]
}

/** Faults of a map entry, which is a scalar, a record of a table, or an object with exactly the members in braces. */
function faultsOfEntry(type: string, id: string, item: unknown, at: string): string[] {
  const scalar = scalars[type]
  if (scalar) return scalar(item) ? [] : [`${at} is no ${type}: ${JSON.stringify(item)}`]
  if (!isObject(item) || item.id !== id) return [`${at} is not the record of its id`]
  const members = /^\{(.+)\}$/.exec(type)?.[1]?.split(', ')
  if (!members) return faultsIn(type, item, at)
  const same = JSON.stringify(Object.keys(item).toSorted()) === JSON.stringify(members.toSorted())
  return same ? [] : [`${at} has the members ${Object.keys(item).join(', ')}`]
}
