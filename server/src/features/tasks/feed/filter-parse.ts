// In charge of parsing the `query` parameter of a feed: an untrusted text becomes a group of rules, all of which are valid.
//
// Filters come from the library react-querybuilder. Two members of its rules and groups are treated as follows:
// - `muted: true` switches a rule or group off, as it does in that library. A muted rule or group is not even checked, so that
//   unfinished rules can be muted. A group that has only muted members counts as an empty group.
// - `disabled: true` only prevents people from editing a rule in the library's interface. The rule still applies.
import {
  type FilterField,
  type FilterOperator,
  filterFields,
  filterLimits,
  filterOperators,
  operatorsOf,
} from '@atelier/contract/filter-fields.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import {
  type ErrorWords,
  extraForbidden,
  jsonInvalid,
  missing,
  notUnicode,
  tooFew,
  tooMany,
  valueError,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'
import { echo } from '../../../platform/error-list.ts'
import { isFault, notAMember, readList, readValue, type Scalar } from './filter-values.ts'

/** The values that a deployment allows in each vocabulary, by the name of the vocabulary. */
export type Vocabularies = Readonly<Record<string, readonly string[]>>

/**
 * A rule that has been checked. `values` is empty if the rule tests for null. It has two values, low and high, for a range;
 * otherwise it has one value, or all values of a list.
 */
export interface ParsedRule {
  readonly field: FilterField
  readonly operator: FilterOperator
  readonly values: readonly Scalar[]
}

export interface ParsedGroup {
  readonly combinator: 'and' | 'or'
  readonly not: boolean
  readonly rules: readonly (ParsedGroup | ParsedRule)[]
}

interface Reading {
  readonly vocabularies: Vocabularies
  readonly errors: ValidationError[]
  rules: number
}

type Loc = ValidationError['loc']
type Members = Record<string, unknown>

/** How deep brackets may be nested. Valid filters (at most five nested groups) need less, and recursion to this depth is safe. */
const maxNesting = 32
/**
 * How many errors a response lists at most. There has to be a limit, since an `enum` error, which lists all permitted values, can
 * be 100 times as long as the wrong value.
 */
const maxErrors = 100
/** Member names in the location of an error are cut to this many characters. The names of our own members are much shorter. */
const longestName = 100

const fieldsByName = new Map(filterFields.map((field) => [field.name, field]))
const operatorsByName = new Map<string, FilterOperator>(filterOperators.map((operator) => [operator, operator]))
const groupMembers = new Set(['combinator', 'rules', 'not', 'id', 'path', 'disabled', 'muted'])
const ruleMembers = new Set(['field', 'operator', 'value', 'valueSource', 'meta', 'id', 'path', 'disabled', 'muted'])

/**
 * Parses a filter, and returns its rule group or all errors. `group` is null if the filter has no effect: it has no rules and no
 * `not`, or everything in it is muted. The feed is then read without a filter.
 */
export function parseFilter(
  raw: string,
  vocabularies: Vocabularies,
): { group: ParsedGroup | null } | { errors: ValidationError[] } {
  const reading: Reading = { vocabularies, errors: [], rules: 0 }
  const loc = ['query', 'query']
  const root = readJson(raw, loc, reading)
  if (reading.errors.length > 0) return { errors: reading.errors }
  checkText(root, loc, reading)
  const group = readGroup(root, loc, 1, reading)
  if (reading.rules > filterLimits.rules)
    report(reading, loc, tooMany('Filter', filterLimits.rules, reading.rules), raw)
  if (reading.errors.length > 0) return { errors: reading.errors }
  return { group: group && (group.rules.length > 0 || group.not) ? group : null }
}

/** Adds an error with only the beginning of its input, since each of many errors may have the whole filter as its input. */
function report(reading: Reading, loc: Loc, fault: ErrorWords, input: unknown): void {
  if (reading.errors.length >= maxErrors) return
  const place = loc.map((part) => (typeof part === 'string' ? part.slice(0, longestName).toWellFormed() : part))
  reading.errors.push({ ...fault, loc: place, input: echo(input) })
}

function readJson(raw: string, loc: Loc, reading: Reading): unknown {
  const max_length = filterLimits.bytes
  if (Buffer.byteLength(raw) > max_length) {
    const msg = `Data should have at most ${max_length} bytes`
    report(reading, loc, { type: 'bytes_too_long', msg, ctx: { max_length } }, raw)
    return null
  }
  const deepAt = nestingExceeded(raw)
  if (deepAt !== null) {
    report(reading, loc, jsonInvalid(`recursion limit exceeded at character ${deepAt}`), raw)
    return null
  }
  try {
    return JSON.parse(raw)
  } catch (cause) {
    report(
      reading,
      loc,
      jsonInvalid(cause instanceof Error ? cause.message.toWellFormed() : 'not JSON'),
      raw.toWellFormed(),
    )
    return null
  }
}

/**
 * Returns the first position (counted from 1) at which brackets are nested too deep; null if there is none. This is checked on the
 * text, since parsing a text with too many brackets could overflow the stack.
 */
function nestingExceeded(raw: string): number | null {
  let depth = 0
  let quoted = false
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > maxNesting) return at + 1
  }
  return null
}

/** Reports text that no database can store. Names and values of members are checked, even of members that are otherwise ignored. */
function checkText(value: unknown, loc: Loc, reading: Reading): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) {
      report(reading, loc, notUnicode, value.toWellFormed())
    } else if (value.includes('\0')) {
      const error = 'NUL characters are not permitted'
      report(reading, loc, valueError(error, error), value)
    }
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) checkText(element, [...loc, index], reading)
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const memberLoc = [...loc, name]
      checkText(name, memberLoc, reading)
      checkText(member, memberLoc, reading)
    }
  }
}

function readGroup(raw: unknown, loc: Loc, depth: number, reading: Reading): ParsedGroup | null {
  if (!isObject(raw)) {
    report(reading, loc, wrongType.model, raw)
    return null
  }
  if (raw.muted === true) return null
  if (depth > filterLimits.depth) {
    const error = `groups may be nested at most ${filterLimits.depth} deep`
    report(reading, loc, valueError(error, error), raw)
    return null
  }
  const combinator = readCombinator(raw, loc, reading)
  const rules = readMembers(raw, loc, depth, reading)
  const not = readFlag(raw, 'not', loc, reading)
  checkNoise(raw, groupMembers, loc, reading)
  return { combinator, not, rules }
}

function readCombinator(raw: Members, loc: Loc, reading: Reading): 'and' | 'or' {
  const { combinator } = raw
  if (combinator === 'and' || combinator === 'or') return combinator
  if (combinator === undefined) report(reading, [...loc, 'combinator'], missing, raw)
  else report(reading, [...loc, 'combinator'], notAMember(['and', 'or']), combinator)
  return 'and'
}

function readMembers(raw: Members, loc: Loc, depth: number, reading: Reading): (ParsedGroup | ParsedRule)[] {
  const rulesLoc = [...loc, 'rules']
  if (raw.rules === undefined) report(reading, rulesLoc, missing, raw)
  else if (!Array.isArray(raw.rules)) report(reading, rulesLoc, wrongType.list, raw.rules)
  if (!Array.isArray(raw.rules)) return []
  const members: readonly unknown[] = raw.rules
  return members.flatMap((member, index) => readMember(member, [...rulesLoc, index], depth, reading) ?? [])
}

function readMember(raw: unknown, loc: Loc, depth: number, reading: Reading): ParsedGroup | ParsedRule | null {
  if (isObject(raw)) {
    const isGroup = 'rules' in raw || ('combinator' in raw && !('field' in raw))
    return isGroup ? readGroup(raw, loc, depth + 1, reading) : readRule(raw, loc, reading)
  }
  // A string between rules is a combinator such as "or", which react-querybuilder uses only in another format of filters.
  report(reading, loc, typeof raw === 'string' ? extraForbidden : wrongType.model, raw)
  return null
}

function readRule(raw: Members, loc: Loc, reading: Reading): ParsedRule | null {
  if (raw.muted === true) return null
  reading.rules += 1
  const field = readName(raw, 'field', fieldsByName, loc, reading)
  const operator = readName(raw, 'operator', field ? operatorNames(field) : operatorsByName, loc, reading)
  const values = field && operator ? readValues(raw, field, operator, loc, reading) : []
  if (raw.valueSource !== undefined && raw.valueSource !== 'value') {
    report(reading, [...loc, 'valueSource'], notAMember(['value']), raw.valueSource)
  }
  checkNoise(raw, ruleMembers, loc, reading)
  return field && operator ? { field, operator, values } : null
}

function operatorNames(field: FilterField): ReadonlyMap<string, FilterOperator> {
  return new Map(operatorsOf(field).map((operator) => [operator, operator]))
}

/** Returns the entry of `known` whose name is in `raw[member]`; reports an error and returns null if there is no such entry. */
function readName<T>(
  raw: Members,
  member: string,
  known: ReadonlyMap<string, T>,
  loc: Loc,
  reading: Reading,
): T | null {
  const name = raw[member]
  const found = typeof name === 'string' ? known.get(name) : undefined
  if (found !== undefined) return found
  if (name === undefined) report(reading, [...loc, member], missing, raw)
  else report(reading, [...loc, member], notAMember([...known.keys()]), name)
  return null
}

function readValues(raw: Members, field: FilterField, operator: FilterOperator, loc: Loc, reading: Reading): Scalar[] {
  const valueLoc = [...loc, 'value']
  if (operator === 'null' || operator === 'notNull') return []
  if (raw.value === undefined) {
    report(reading, valueLoc, missing, raw)
    return []
  }
  if (operator === 'in' || operator === 'notIn') {
    return readListValues(raw.value, 0, filterLimits.list_values, field, valueLoc, reading)
  }
  if (operator === 'between' || operator === 'notBetween') {
    const [low, high] = readListValues(raw.value, 2, 2, field, valueLoc, reading)
    // People may enter the two values of a range in either order. The exports of react-querybuilder swap them too.
    return low === undefined || high === undefined ? [] : low > high ? [high, low] : [low, high]
  }
  return readScalars([raw.value], field, () => valueLoc, reading)
}

function readListValues(
  raw: unknown,
  atLeast: number,
  atMost: number,
  field: FilterField,
  loc: Loc,
  reading: Reading,
): Scalar[] {
  const list = readList(raw)
  if (isFault(list)) report(reading, loc, list, raw)
  else if (list.length < atLeast) report(reading, loc, tooFew('List', atLeast, list.length), raw)
  else if (list.length > atMost) report(reading, loc, tooMany('List', atMost, list.length), raw)
  else return readScalars(list, field, (index) => [...loc, index], reading)
  return []
}

function readScalars(
  list: readonly unknown[],
  field: FilterField,
  locOf: (index: number) => Loc,
  reading: Reading,
): Scalar[] {
  const allowed = allowedValues(field, reading.vocabularies)
  return list.flatMap((raw, index) => {
    if (reading.errors.length >= maxErrors) return []
    const value = readValue(field.type, raw, allowed)
    if (!isFault(value)) return value
    report(reading, locOf(index), value, raw)
    return []
  })
}

function allowedValues(field: FilterField, vocabularies: Vocabularies): readonly string[] {
  if (field.vocabulary === undefined) return field.values ?? []
  const allowed = vocabularies[field.vocabulary]
  if (allowed === undefined)
    throw new Error(`vocabulary ${field.vocabulary} is missing: pass all of them to parseFilter`)
  return allowed
}

function checkNoise(raw: Members, known: ReadonlySet<string>, loc: Loc, reading: Reading): void {
  readFlag(raw, 'disabled', loc, reading)
  readFlag(raw, 'muted', loc, reading)
  for (const [name, value] of Object.entries(raw)) {
    if (!known.has(name)) report(reading, [...loc, name], extraForbidden, value)
  }
}

function readFlag(raw: Members, member: string, loc: Loc, reading: Reading): boolean {
  const flag = raw[member]
  if (flag === undefined || typeof flag === 'boolean') return flag ?? false
  report(reading, [...loc, member], wrongType.boolean, flag)
  return false
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
