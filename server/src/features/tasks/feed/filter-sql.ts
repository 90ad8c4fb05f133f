// In charge of translating a filter to SQL, and of the key that identifies a filter.
import { createHash } from 'node:crypto'
import type { FilterField, FilterOperator, FilterType } from '@atelier/contract/filter-fields.ts'
import { foldText } from '@atelier/contract/fold.ts'
import type { ParsedGroup, ParsedRule } from './filter-parse.ts'
import type { Scalar } from './filter-values.ts'

/** Takes a value as a parameter of the statement and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown, pgType: string) => string

/**
 * The condition for a WHERE clause. Its text consists of constants, column names of the catalogue and placeholders; every value
 * that a caller sent is passed to `bind`. Every part is true or false, never null, so that `not` is an exact complement.
 */
export function compileFilter(group: ParsedGroup, bind: Bind, alias?: string): string {
  const parts = group.rules.map((member) =>
    'rules' in member ? compileFilter(member, bind, alias) : compileRule(member, bind, alias),
  )
  const all = parts.length === 0 ? 'true' : `(${parts.join(group.combinator === 'or' ? ' or ' : ' and ')})`
  return group.not ? `not ${all}` : all
}

/** The conditions of single rules. */
export function compileRules(rules: readonly ParsedRule[], bind: Bind, alias?: string): string[] {
  return rules.map((rule) => compileRule(rule, bind, alias))
}

/** Operators and types of rules on an indexed column that limit the index to one range. */
const bounding = new Set<FilterOperator>(['=', '<', '>', '<=', '>=', 'between'])
const bounded = new Set<FilterType>(['integer', 'datetime', 'enum'])

/** Splits a filter into two parts that must both be true: rules that limit the range of the index of `sortField`, and the rest. */
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
 * A short key that cursors are bound to. Filters have the same key if they differ only in ignored members, in the notation of
 * values, or in the order of rules and list values. Without a filter the key is empty.
 */
export function canonicalFilter(group: ParsedGroup | null): string {
  return group === null ? '' : createHash('sha256').update(canonicalGroup(group)).digest('base64url')
}

/** Negated operators, each with the operator it negates. A null therefore matches "not equal" and "does not contain". */
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

/** Enumerations that the migrations declare as types; every other one is stored as text. */
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
  // Both operators can use a GIN index.
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

// The drivers can serialize arrays of built-in types only, so a list of an enum type is sent as an array of text.
function placedList(values: readonly Scalar[], type: string, bind: Bind): string {
  const declared = Object.values(pgEnums).includes(type)
  const carried = declared ? 'text[]' : `${type}[]`
  const list = `${bind(values, carried)}::${carried}`
  return declared ? `${list}::${type}[]` : list
}

/** Columns that are lines of `search_text`; they are folded in the same way as search terms. */
const foldedLines: Record<string, number> = { name: 1, generated_name: 2 }

/**
 * A text as `foldText` folds it, so that comparisons ignore case and the composition of letters. Names are stored in this form;
 * for other texts, most of which are plain ASCII, the database computes the closest form that it can.
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
  // The parts are concatenated rather than serialized again, since each level of JSON inside JSON would double the backslashes.
  return `{"${group.combinator}":[${[...new Set(members)].toSorted().join()}],"not":${group.not}}`
}

function canonicalRule({ field, operator, values }: ParsedRule): string {
  const isList = operator === 'in' || operator === 'notIn'
  return JSON.stringify([field.name, operator, isList ? [...new Set(values)].toSorted() : values])
}
