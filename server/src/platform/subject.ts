// In charge of what an issuer may call a person: a text that fits into an index, and that the database takes.
import { checkText } from './json-body.ts'

/** OpenID Connect Core §2: at most 255 characters. */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && checkText(value) === null
