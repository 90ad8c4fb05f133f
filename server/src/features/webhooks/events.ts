// In charge of parsing an identity provider's message into the few facts that are stored. Pure.
import { oneLine } from '@atelier/contract/one-line.ts'
import { Invalid } from '@atelier/contract/wire/errors.ts'
import {
  fractional,
  missing,
  notFinite,
  textTooLong,
  textTooShort,
  tooLargeInteger,
  tooSmall,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'
import { errorList } from '../../platform/error-list.ts'
import { checkText, unfitText } from '../../platform/json-body.ts'
import { emailOf, pictureOf } from '../../platform/profile-text.ts'

export type DirectoryEvent =
  | {
      kind: 'user'
      providerId: string
      changedAt: number
      name: string | null
      email: string | null
      imageUrl: string | null
    }
  | { kind: 'user_deleted'; providerId: string; endedAt: number }
  | {
      kind: 'membership'
      membershipId: string
      providerId: string
      /** '' if the message does not name an organization. */
      organization: string
      /** The provider's word for the role, unchanged; '' if the message does not contain one. */
      word: string
      changedAt: number
      joinedAt: number
      /** Null if the membership has not ended. */
      endedAt: number | null
    }
  | { kind: 'unknown' }

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The most characters of an id that is stored. */
const longestId = 255

/** Reads members of a message, and collects an error for each member that is missing or wrong. */
class Reading {
  readonly found = errorList()

  text(from: Members, name: string, at: string[]): string {
    const value = from[name]
    const loc = [...at, name]
    if (value === undefined) this.found.add(missing, loc, from)
    else if (typeof value !== 'string') this.found.add(wrongType.string, loc, value)
    else if (value === '') this.found.add(textTooShort(1), loc, value)
    else return value
    return ''
  }

  /** Reads an id. Characters that cannot be stored are removed from other texts, but not from an id: the rest could be another person's id. */
  id(from: Members, name: string, at: string[]): string {
    const value = this.text(from, name, at)
    const unfit = checkText(value)
    if (value.length > longestId) this.found.add(textTooLong(longestId), [...at, name], value)
    else if (unfit !== null) this.found.add(unfitText[unfit], [...at, name], value)
    else return value
    return ''
  }

  /** Reads a time in milliseconds by the provider's clock; 0 if there is none, so that messages with a time count as newer. */
  time(from: Members, name: string, at: string[]): number {
    const value = from[name] ?? 0
    const loc = [...at, name]
    if (typeof value !== 'number') this.found.add(wrongType.integer, loc, value)
    else if (!Number.isFinite(value)) this.found.add(notFinite, loc, value)
    else if (!Number.isInteger(value)) this.found.add(fractional, loc, value)
    else if (value < 0) this.found.add(tooSmall(0), loc, value)
    else if (!Number.isSafeInteger(value)) this.found.add(tooLargeInteger, loc, value)
    else return value
    return 0
  }

  object(from: Members, name: string, at: string[]): Members {
    const value = from[name]
    if (isObject(value)) return value
    if (value === undefined) this.found.add(missing, [...at, name], from)
    else this.found.add(wrongType.dictionary, [...at, name], value)
    return {}
  }
}

/**
 * Parses a message that was signed at `sentAt` (ms). A message of a kind from which nothing is stored becomes `unknown`. Throws
 * `Invalid` if the message is malformed.
 */
export function readEvent(body: unknown, sentAt: number): DirectoryEvent {
  const reading = new Reading()
  const event = readBody(body, reading, sentAt)
  if (reading.found.entries.length > 0) throw new Invalid(reading.found.entries)
  return event
}

function readBody(body: unknown, reading: Reading, sentAt: number): DirectoryEvent {
  if (body === undefined || body === null) {
    reading.found.add(missing, ['body'], null)
    return { kind: 'unknown' }
  }
  if (!isObject(body)) {
    reading.found.add(wrongType.model, ['body'], body)
    return { kind: 'unknown' }
  }
  // A kind from which nothing is stored is accepted, whatever its name is.
  const reader = readers.get(reading.text(body, 'type', ['body']))
  if (reader === undefined) return { kind: 'unknown' }
  return reader(reading.object(body, 'data', ['body']), reading, happenedAt(body, sentAt))
}

/** Returns when the event happened by the provider's clock; if the message does not say so, returns when it was sent. */
function happenedAt({ timestamp }: Members, sentAt: number): number {
  return momentOf(typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp) || sentAt
}

/** Returns a time in milliseconds; 0 if the value is none. */
const momentOf = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(Number(value), 0) : 0)

type Reader = (data: Members, reading: Reading, happenedAt: number) => DirectoryEvent
const at = ['body', 'data']

const readUser: Reader = (data, reading) => ({
  kind: 'user',
  providerId: reading.id(data, 'id', at),
  changedAt: reading.time(data, 'updated_at', at),
  name: fullName(data),
  email: primaryEmail(data),
  imageUrl: pictureOf(data.image_url),
})

/** The provider does not guarantee that this message contains the user's id. Without the id, the message has no effect. */
const readUserDeleted: Reader = (data, reading, endedAt) =>
  data.id === undefined
    ? { kind: 'unknown' }
    : { kind: 'user_deleted', providerId: reading.id(data, 'id', at), endedAt }

/** The end of a membership takes effect whatever times its message states: they do not say when the membership ended. */
const readMembership =
  (lasts: boolean): Reader =>
  (data, reading, happenedAt) => {
    const timeOf = (name: string) => (lasts ? reading.time(data, name, at) : momentOf(data[name]))
    const changedAt = timeOf('updated_at')
    return {
      kind: 'membership',
      membershipId: reading.id(data, 'id', at),
      providerId: reading.id(reading.object(data, 'public_user_data', at), 'user_id', [...at, 'public_user_data']),
      organization: isObject(data.organization) ? (line(data.organization.id) ?? '') : '',
      word: line(data.role) ?? '',
      changedAt,
      joinedAt: timeOf('created_at') || changedAt || happenedAt,
      endedAt: lasts ? null : happenedAt,
    }
  }

/** This is a Map because a plain object inherits names such as `toString`, which would be taken for kinds of message. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['user.created', readUser],
  ['user.updated', readUser],
  ['user.deleted', readUserDeleted],
  ['organizationMembership.created', readMembership(true)],
  ['organizationMembership.updated', readMembership(true)],
  ['organizationMembership.deleted', readMembership(false)],
])

/** Turns a provider's text into one line of at most 255 characters, which can be stored; null if no text is left. */
function line(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const clean = oneLine(value.toWellFormed())
  return clean === '' ? null : [...clean].slice(0, 255).join('')
}

const fullName = (data: Members): string | null =>
  line(
    [data.first_name, data.last_name]
      .map(line)
      .filter((part) => part !== null)
      .join(' '),
  ) ?? line(data.username)

/** Returns the email address that the provider marks as primary; null if there is none. */
function primaryEmail(data: Members): string | null {
  const addresses = Array.isArray(data.email_addresses) ? data.email_addresses.filter(isObject) : []
  return emailOf(addresses.find(({ id }) => id === data.primary_email_address_id)?.email_address)
}
