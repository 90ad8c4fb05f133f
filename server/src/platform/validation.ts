// In charge of validating the parts of a request against their schemas, and of reporting all errors together.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { extraForbidden, missing, tooLargeInteger } from '@atelier/contract/wire/validation-errors.ts'
import { type ErrorList, errorList } from './error-list.ts'
import { InexactNumber, isLarge } from './exact-numbers.ts'
import { readText } from './lax-text.ts'
import { compileRule, isObject, type Rule } from './request-schema.ts'
import { wordsFor } from './validation-words.ts'

export type Validator = (raw: unknown) => { value: unknown; errors: ValidationError[] }

/** If one of these keywords refuses a value, the values inside it are not checked: the type is wrong, or there are too many. */
const closing = new Set(['type', 'enum', 'const', 'maxItems', 'maxProperties'])

/**
 * Makes the validator for one part of a request. A body is checked as it is; texts in a query, path or header are converted first,
 * but errors contain the original text. `refs` are the schemas to which a `$ref` may refer. If the body is missing, it is refused
 * unless the schema allows null; then its value is null. Defaults in a schema are documentation, and are never filled in. Call this
 * once, when routes are declared, because it throws if the validator does not support the schema.
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

/** Converts the members of a query, path or header to the types in their schemas. */
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
  /** The location of the current value. It changes while the values are visited, so each error gets a copy. */
  path: (string | number)[]
  /** The members of a query, path or header before they are converted; null for a body. */
  text: unknown
}

/** Adds the errors of a value in Pydantic's order: first its own error, then the errors of declared members, then unknown ones. */
function examine(rule: Rule, value: unknown, examination: Examination): void {
  // A number that would be rounded is checked as its nearest double, but errors show the number as it was sent.
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

/** Whether the schema requires an integer; then the value must be a safe integer, even if the schema sets no bounds. */
const asksForInteger = ({ schema: { type } }: Rule): boolean =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer'))

/**
 * Whether the rule describes a model, which has declared fields, rather than a dictionary. Our errors are those of Pydantic, whose
 * messages differ for the two. As in FastAPI, a body is always a model.
 */
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
    // As in Pydantic, the error's `input` is the object that lacks the member; for a query or headers it is null, as in FastAPI.
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
