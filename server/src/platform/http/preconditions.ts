// In charge of checking If-Match (a write is refused if the record has changed since the caller read it) and If-None-Match.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { etagOf } from './answer.ts'

/** An entity tag as records have them: strong, in its quotes. */
const strongTag = /^"[^"]+"$/

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())

/** Throws if the request has an If-Match header without this revision. Weak tags never match in a write (RFC 9110 §13.1.1). */
export function requireMatch(header: string | undefined, revision: number): void {
  if (header === undefined) return
  const tags = tagsOf(header)
  if (tags.includes('*') || tags.includes(etagOf(revision))) return
  const why = tags.some((tag) => strongTag.test(tag))
    ? `Someone changed this since you read it: it is at ${etagOf(revision)} now. Read it again and repeat your change.`
    : `If-Match holds no ETag of this record, which is at ${etagOf(revision)} now: send the ETag as it was given, strong and with its quotes.`
  throw new Refusal('precondition_failed', why, { etag: etagOf(revision) })
}

export function etagMatches(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  const tags = tagsOf(header)
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}
