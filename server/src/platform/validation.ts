// In charge of validating the parts of a request against their schemas, and of reporting all errors together.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { extraForbidden, missing, tooLargeInteger } from '@atelier/contract/wire/validation-errors.ts'
import { type ErrorList, errorList } from './error-list.ts'
import { InexactNumber, isLarge } from './exact-numbers.ts'
import { readText } from './lax-text.ts'
import { compileRule, isObject, type Rule } from './request-schema.ts'
import { wordsFor } from './validation-words.ts'

export type Validator = (raw: unknown) => { value: unknown; errors: ValidationError[] }

/** If one of these keywords refuses a value, its members are not checked: the value has the wrong type or too many members. */
const closing = new Set(['type', 'enum', 'const', 'maxItems', 'maxProperties'])

/**
 * Makes the validator of one part of a request. Bodies are checked as they are; texts of queries, paths and headers are
 * converted, but errors show the original text. `refs` are the schemas that `$ref`s name. A missing body is refused
 * unless the schema allows null; its value is null then. Defaults are documentation only and never filled in.
 * Call this once, when routes are declared: it throws for a schema that the validator does not support.
 */
export function compileValidator(
  schema: object,
  where: 'query' | 'path' | 'header' | 'body',
  refs: readonly object[] = [],
): Validator {
  const rule = compileRule(schema, where, refs)
  const isText = where !== 'body'
  return (raw) => {
    const found = errorList()
    const text = isText ? (raw ?? {}) : null
    const value = isText ? readMembers(text, rule) : (raw ?? null)
    if (value === null && rule.refusedBy(null) !== null) found.add(missing, [where], null)
    else examine(rule, value, { found, path: [where], text })
    return { value, errors: found.entries }
  }
}

/** Converts the members of a query, path or header by their schemas. */
function readMembers(raw: unknown, { members }: Rule): unknown {
  if (!isObject(raw)) return raw
  const value: Record<string, unknown> = { ...raw }
  for (const { name, rule } of members) {
    const text = Object.hasOwn(value, name) ? value[name] : undefined
    if (typeof text === 'string') value[name] = readText(text, rule.schema)
  }
  return value
}

type Examination = {
  found: ErrorList
  /** The location of the current value; changed while the values are visited, copied into errors. */
  path: (string | number)[]
  /** The members of a query, path or header before their conversion; null for a body. */
  text: unknown
}

/** Adds the errors of a value in Pydantic's order: its own error, those of declared fields, then unknown members. */
function examine(rule: Rule, value: unknown, examination: Examination): void {
  // A number that would be rounded is checked by its nearest double, but errors show it as it was sent.
  const judged = value instanceof InexactNumber ? value.nearest : value
  const keyword = rule.refusedBy(judged)
  if (keyword !== null) {
    const { found, path, text } = examination
    const isText = text !== null
    const words = wordsFor({ keyword, schema: rule.schema, value: judged, isText, isModel: isModel(rule, path) })
    found.add(words, path, isText && path.length > 1 ? memberOf(text, path[1]) : value)
    if (closing.has(keyword)) return
  } else if (typeof judged === 'number' && isLarge(judged) && asksForInteger(rule)) {
    examination.found.add(tooLargeInteger, examination.path, value)
  }
  if (typeof judged !== 'object' || judged === null) return
  if (Array.isArray(judged)) {
    if (rule.items !== null) examineItems(rule.items, judged, examination)
  } else {
    examineDeclared(rule, judged, examination)
    examineOthers(rule, judged, examination)
  }
}

/** Whether the schema requires an integer: one without bounds must still be a safe integer. */
const asksForInteger = ({ schema: { type } }: Rule): boolean =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer'))

/** Pydantic distinguishes a model, which has fields, from a dictionary; FastAPI treats every body as a model. */
function isModel(rule: Rule, path: readonly unknown[]): boolean {
  return path.length === 1 || rule.members.length > 0
}

function examineItems(rule: Rule, items: readonly unknown[], examination: Examination): void {
  const { found, path } = examination
  const depth = path.length
  for (let index = 0; index < items.length && !found.isFull(); index += 1) {
    path[depth] = index
    examine(rule, items[index], examination)
    path.length = depth + 1
  }
  path.length = depth
}

function examineDeclared(rule: Rule, value: object, examination: Examination): void {
  const { found, path, text } = examination
  const depth = path.length
  for (const { name, rule: memberRule, isRequired } of rule.members) {
    path[depth] = name
    if (Object.hasOwn(value, name)) examine(memberRule, memberOf(value, name), examination)
    // Pydantic shows the object that lacks the field; for a query or headers, FastAPI shows no input.
    else if (isRequired) found.add(missing, path, text === null ? value : null)
    path.length = depth
  }
}

function examineOthers({ others, isClosed, declared }: Rule, value: object, examination: Examination): void {
  if (others === null && !isClosed) return
  const { found, path, text } = examination
  const depth = path.length
  const unknown: string[] = []
  for (const name of Object.keys(value)) {
    if (found.isFull()) return
    if (declared.has(name)) continue
    if (others !== null && others.pattern?.test(name) !== false) {
      path[depth] = name
      examine(others.rule, memberOf(value, name), examination)
      path.length = depth
    } else if (isClosed) unknown.push(name)
  }
  for (const name of unknown) found.add(extraForbidden, [...path, name], memberOf(text ?? value, name))
}

function memberOf(value: unknown, name: string | number | undefined): unknown {
  return typeof value === 'object' && value !== null && name !== undefined ? Reflect.get(value, name) : undefined
}
