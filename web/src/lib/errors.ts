// In charge of the messages that users see for errors, and of finding the form field that an error is about.
import { CallError } from '@atelier/contract/wire/calls.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { missing } from '@atelier/contract/wire/validation-errors.ts'

/** The message of an error as one or more sentences for the user. */
export function wordsOf(error: unknown): string {
  if (error instanceof CallError) {
    if (error.code === 'invalid') return error.errors.map(lineOf).join(' ')
    if (error.code === 'unknown') return `The service answered with ${error.status} and no explanation. Try again.`
    return error.detail
  }
  // `fetch` throws a `TypeError` when there was no response at all.
  if (error instanceof TypeError) return 'The service cannot be reached. Check your connection, then try again.'
  return error instanceof Error ? error.message : String(error)
}

/** Whether no response came, or one with a status that proxies use if they cannot reach the service. A retry may succeed. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof CallError && [502, 503, 504].includes(error.status))

/** What the service itself says about an error; null if no answer came, or only one of something before it, such as a proxy. */
export const wordsOfService = (error: unknown): string | null =>
  error instanceof CallError && error.code !== 'unknown' ? wordsOf(error) : null

/** The type of the error about a text that does not match a regular expression. */
export const wrongForm = 'string_pattern_mismatch'

/** The message of a validation error in words for users, because validators speak of an “Input”, a “String” or a “Dictionary”. */
export function messageOf({ type, loc, msg }: ValidationError): string {
  if (type === missing.type && msg === missing.msg) return 'Something is needed here.'
  if (type === 'extra_forbidden') return `There is no place for “${loc.at(-1) ?? ''}” here. Take it away.`
  if (type === wrongForm && msg.startsWith('String should match pattern'))
    return 'This does not have the form that is needed here.'
  const words = msg.replace(/^(?:Value|Assertion) error, /, '')
  return sentence(words.replace(/^(?:Input|String|List|Dictionary|Value) should /, 'This should '))
}

const lineOf = (error: ValidationError): string => {
  const place = error.loc.slice(1).join(' › ')
  return place === '' ? messageOf(error) : `${place}: ${messageOf(error)}`
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/**
 * The messages about one member of the request body, and about members inside it; null if there are none. `place` is the path of
 * the member in the body.
 */
export function fieldError(error: unknown, ...place: (string | number)[]): string | null {
  if (!(error instanceof CallError)) return null
  const found = error.errors.filter(({ loc }) => place.every((part, at) => loc[at + 1] === part))
  return found.length === 0 ? null : found.map(messageOf).join(' ')
}

export const hasCode = (error: unknown, code: CallError['code']): error is CallError =>
  error instanceof CallError && error.code === code
