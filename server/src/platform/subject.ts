// In charge of deciding whether an issuer's subject is accepted: it has to be a text that fits into an index of the database.
import { checkText } from './json-body.ts'

/** Whether a value can be a subject. OpenID Connect Core §2 allows at most 255 characters. */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && checkText(value) === null
