// In charge of checking a request's parts against their schemas, and of answering every error at once.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { extraForbidden, missing, tooLargeInteger } from '@atelier/contract/wire/validation-errors.ts'
import { type ErrorList, errorList } from './error-list.ts'
import { InexactNumber, isLarge } from './exact-numbers.ts'
import { readText } from './lax-text.ts'
import { compileRule, isObject, type Rule } from './request-schema.ts'
import { wordsFor } from './validation-words.ts'

export type Validator = (raw: unknown) => { value: unknown; errors: ValidationError[] }

/** A value refused by one of these is not looked into: it is not what was asked for, or there is too much of it. */
const closing = new Set(['type', 'enum', 'const', 'maxItems', 'maxProperties'])

/**
 * The check of one part of a request. Bodies are taken as they are; the text of queries, paths and headers is
 * converted, and shown in errors as it came. `refs` are the schemas that `$ref`s name. An absent body is refused
 * unless the schema takes null, and is null then. Defaults are documentation only: nothing is filled in.
 * Compile once, when routes are declared: a schema that cannot be answered for throws here.
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

/** The members of a query, path or header, each as its schema reads it. */
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
  /** The place being looked at; changed on the way, copied into errors. */
  path: (string | number)[]
  /** The members of a query, path or header before they were read; null for a body. */
  text: unknown
}

/** Adds the errors of a value as Pydantic orders them: its own, its fields' as declared, then unknown members. */
function examine(rule: Rule, value: unknown, examination: Examination): void {
  // A number that would become another one is judged by the nearest there is, and shown as it was sent.
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

/** Whether a value is counted: an integer without bounds of its own has those of a safe one. */
const asksForInteger = ({ schema: { type } }: Rule): boolean =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer'))

/** Pydantic tells a model, which has fields, from a dictionary; FastAPI takes any body for a model. */
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
    // Pydantic shows the object a field is missing from; FastAPI shows nothing of a query or of headers.
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
