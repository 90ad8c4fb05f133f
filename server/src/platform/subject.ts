// In charge of which subject of an issuer is accepted: a text that fits into an index and can be stored in the database.
import { checkText } from './json-body.ts'

/** OpenID Connect Core §2 allows at most 255 characters. */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && checkText(value) === null
