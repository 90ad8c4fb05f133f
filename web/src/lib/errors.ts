// In charge of what people read when something went wrong, and of which field it belongs to.
import { CallError } from '@atelier/contract/calls.ts'
import type { ValidationError } from '@atelier/contract/errors.ts'

/** A sentence for people. */
export function wordsOf(error: unknown): string {
  if (error instanceof CallError) {
    if (error.code === 'invalid') return error.errors.map(lineOf).join(' ')
    if (error.code === 'unknown') return `The service answered with ${error.status} and no explanation. Try again.`
    return error.detail
  }
  // What `fetch` throws where no answer came at all.
  if (error instanceof TypeError) return 'The service cannot be reached. Check your connection, then try again.'
  return error instanceof Error ? error.message : String(error)
}

/** The message of a 422 without the words the validator puts before it. */
export const messageOf = ({ msg }: ValidationError): string => sentence(msg.replace(/^(?:Value|Assertion) error, /, ''))

const lineOf = (error: ValidationError): string => {
  const place = error.loc.slice(1).join(' › ')
  return place === '' ? messageOf(error) : `${place}: ${messageOf(error)}`
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** What a 422 says of one member of the body, at any depth in it; null where it says nothing of it. */
export function fieldError(error: unknown, ...place: (string | number)[]): string | null {
  if (!(error instanceof CallError)) return null
  const found = error.errors.filter(({ loc }) => place.every((part, at) => loc[at + 1] === part))
  return found.length === 0 ? null : found.map(messageOf).join(' ')
}

export const hasCode = (error: unknown, code: CallError['code']): error is CallError =>
  error instanceof CallError && error.code === code
