// In charge of translating a filter to SQL, and of computing a key that is equal for filters with the same meaning.
import { createHash } from 'node:crypto'
import type { FilterField, FilterOperator, FilterType } from '@atelier/contract/filter-fields.ts'
import { foldText } from '@atelier/contract/fold.ts'
import type { ParsedGroup, ParsedRule } from './filter-parse.ts'
import type { Scalar } from './filter-values.ts'

/** Adds a value to the parameters of an SQL statement, and returns the placeholder for it, such as `$3`. */
export type Bind = (value: unknown, pgType: string) => string

/**
 * Returns the condition for a WHERE clause. The text of the condition has only constants, column names and placeholders: every
 * value that a caller sent is passed to `bind`. No part is ever null, so that `not` selects exactly the other rows.
 */
export function compileFilter(group: ParsedGroup, bind: Bind, alias?: string): string {
  const parts = group.rules.map((member) =>
    'rules' in member ? compileFilter(member, bind, alias) : compileRule(member, bind, alias),
  )
  const all = parts.length === 0 ? 'true' : `(${parts.join(group.combinator === 'or' ? ' or ' : ' and ')})`
  return group.not ? `not ${all}` : all
}

/** Returns one SQL condition for each rule. */
export function compileRules(rules: readonly ParsedRule[], bind: Bind, alias?: string): string[] {
  return rules.map((rule) => compileRule(rule, bind, alias))
}

/** The operators that limit an indexed column to one range of values. `bounded` below has the types of fields that allow this. */
const bounding = new Set<FilterOperator>(['=', '<', '>', '<=', '>=', 'between'])
const bounded = new Set<FilterType>(['integer', 'datetime', 'enum'])

/**
 * Splits a filter into two parts, both of which must be true: rules that limit `sortField` to a range of its index, and the rest.
 */
export function boundsOf(
  group: ParsedGroup | null,
  sortField: string,
): { bounds: ParsedRule[]; rest: ParsedGroup | null } {
  if (group === null || group.not || group.combinator === 'or') return { bounds: [], rest: group }
  const bounds: ParsedRule[] = []
  const rules = group.rules.filter((member) => {
    const isBound =
      'field' in member &&
      member.field.name === sortField &&
      bounded.has(member.field.type) &&
      bounding.has(member.operator)
    if (isBound) bounds.push(member)
    return !isBound
  })
  return { bounds, rest: rules.length === 0 ? null : { ...group, rules } }
}

/**
 * Returns a short key for a filter, which ties a cursor to the filter; '' if there is no filter. Filters have the same key if they
 * differ only in ignored members, in how values are written, or in the order of rules and list values.
 */
export function canonicalFilter(group: ParsedGroup | null): string {
  return group === null ? '' : createHash('sha256').update(canonicalGroup(group)).digest('base64url')
}

/**
 * Operators that negate another operator. All of them but `notNull` also select rows in which the column is null, since null counts
 * as "not equal" to any value.
 */
const complements: Partial<Record<FilterOperator, FilterOperator>> = {
  '!=': '=',
  notNull: 'null',
  notIn: 'in',
  notBetween: 'between',
  doesNotContain: 'contains',
  doesNotBeginWith: 'beginsWith',
  doesNotEndWith: 'endsWith',
}

const pgTypes: Record<FilterType, string> = {
  text: 'text',
  enum: 'text',
  integer: 'int4',
  number: 'float8',
  boolean: 'bool',
  datetime: 'timestamptz',
  id: 'uuid',
  enum_list: 'text',
}

/** The fields that have a PostgreSQL type of their own. The values of all other enumerations are stored as text. */
const pgEnums: Record<string, string> = { status: 'task_status', test_status: 'test_status' }

function compileRule(rule: ParsedRule, bind: Bind, alias?: string): string {
  const name = `"${rule.field.name}"`
  const column = alias === undefined ? name : `${alias}.${name}`
  const complement = complements[rule.operator]
  const condition = compileCondition(column, rule.field, complement ?? rule.operator, rule.values, bind)
  return complement === undefined ? condition : `not ${condition}`
}

function compileCondition(
  column: string,
  field: FilterField,
  operator: FilterOperator,
  values: readonly Scalar[],
  bind: Bind,
): string {
  if (operator === 'null') return isEmpty(column, field)
  if (operator === 'in' && values.length === 0) return 'false'
  const test =
    field.type === 'enum_list'
      ? setTest(column, operator, values, bind)
      : valueTest(column, field, operator, values, bind)
  return field.nullable ? `(${column} is not null and ${test})` : `(${test})`
}

function isEmpty(column: string, field: FilterField): string {
  return field.type === 'enum_list' ? `(${column} is null or cardinality(${column}) = 0)` : `(${column} is null)`
}

function setTest(column: string, operator: FilterOperator, values: readonly Scalar[], bind: Bind): string {
  // PostgreSQL can use a GIN index for both operators.
  return `${column} ${operator === 'in' ? '&&' : '@>'} ${bind(values, 'text[]')}::text[]`
}

function valueTest(
  column: string,
  field: FilterField,
  operator: FilterOperator,
  values: readonly Scalar[],
  bind: Bind,
): string {
  const type = pgEnums[field.name] ?? pgTypes[field.type]
  const placed = (value: unknown) => `${bind(value, type)}::${type}`
  const [value, high] = values
  const pattern = (before: string, after: string) =>
    `${bind(`${before}${escapeLike(foldText(String(value)))}${after}`, 'text')}::text`
  switch (operator) {
    case '=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return `${column} ${operator} ${placed(value)}`
    case 'between':
      return `${column} between ${placed(value)} and ${placed(high)}`
    case 'in':
      return `${column} = any(${placedList(values, type, bind)})`
    case 'contains':
      return `${foldedText(column, field)} like ${pattern('%', '%')}`
    case 'beginsWith':
      return `${foldedText(column, field)} like ${pattern('', '%')}`
    case 'endsWith':
      return `${foldedText(column, field)} like ${pattern('%', '')}`
    default:
      throw new Error(`operator ${operator} has no condition of its own: add it to complements or to this switch`)
  }
}

// The drivers can send arrays of built-in types only; so a list of values of our own type is sent as an array of text.
function placedList(values: readonly Scalar[], type: string, bind: Bind): string {
  const declared = Object.values(pgEnums).includes(type)
  const carried = declared ? 'text[]' : `${type}[]`
  const list = `${bind(values, carried)}::${carried}`
  return declared ? `${list}::${type}[]` : list
}

/** Columns whose text, folded by `foldText`, is stored as a line of `search_text`; each with the number of that line. */
const foldedLines: Record<string, number> = { name: 1, generated_name: 2 }

/**
 * Returns SQL for a column's text as `foldText` folds it, so that comparisons ignore case and the ways to compose a letter. For
 * names, the SQL reads the folded text that is stored. For other columns, mostly plain ASCII, the SQL computes nearly the same
 * text.
 */
function foldedText(column: string, { name }: FilterField): string {
  const line = foldedLines[name]
  if (line !== undefined) return `split_part(${column.replace(`"${name}"`, 'search_text')}, chr(10), ${line})`
  const lower = `translate(lower(normalize(${column})), 'ςıſ', 'σis')`
  const folded = `replace(replace(${lower}, 'i' || chr(775), 'i'), 'ß', 'ss')`
  return `case when octet_length(${column}) = char_length(${column}) then lower(${column}) else ${folded} end`
}

function escapeLike(value: string): string {
  return value.replace(/[\\%_]/g, '\\$&')
}

function canonicalGroup(group: ParsedGroup): string {
  const members = group.rules.map((member) => ('rules' in member ? canonicalGroup(member) : canonicalRule(member)))
  // The parts are joined as they are: JSON inside JSON would double the backslashes at each level.
  return `{"${group.combinator}":[${[...new Set(members)].toSorted().join()}],"not":${group.not}}`
}

function canonicalRule({ field, operator, values }: ParsedRule): string {
  const isList = operator === 'in' || operator === 'notIn'
  return JSON.stringify([field.name, operator, isList ? [...new Set(values)].toSorted() : values])
}
