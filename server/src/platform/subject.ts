// In charge of deciding whether an issuer's subject is accepted: a database index must be able to contain the text.
import { checkText } from './json-body.ts'

/** Whether a value can be a subject. OpenID Connect Core §2 allows at most 255 characters. */
export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && checkText(value) === null
