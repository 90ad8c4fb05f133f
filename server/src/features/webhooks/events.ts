// In charge of parsing an identity provider's message into the few facts that are stored. Pure.
import { oneLine } from '@atelier/contract/one-line.ts'
import { Invalid } from '@atelier/contract/wire/errors.ts'
import {
  fractional,
  missing,
  textTooLong,
  textTooShort,
  tooLargeInteger,
  tooSmall,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'
import { errorList } from '../../platform/error-list.ts'
import { InexactNumber } from '../../platform/exact-numbers.ts'
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
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber)

/** The most characters of an id that is stored. */
const longestId = 255

/** Reads members of a message, and collects an error for each member that is missing or wrong. */
class Reading {
  readonly found = errorList()

  text(from: Members, name: string, at: string[], most = longestId): string {
    const value = from[name]
    const loc = [...at, name]
    if (value === undefined) this.found.add(missing, loc, from)
    else if (typeof value !== 'string') this.found.add(wrongType.string, loc, value)
    else if (value === '') this.found.add(textTooShort(1), loc, value)
    else if (value.length > most) this.found.add(textTooLong(most), loc, value)
    else return value
    return ''
  }

  /** Reads a time in milliseconds by the provider's clock; 0 if there is none, so that messages with a time count as newer. */
  time(from: Members, name: string, at: string[]): number {
    const value = from[name] ?? 0
    const loc = [...at, name]
    const number = value instanceof InexactNumber ? value.nearest : value
    if (typeof number !== 'number') this.found.add(wrongType.integer, loc, value)
    else if (!Number.isInteger(number)) this.found.add(fractional, loc, value)
    else if (number < 0) this.found.add(tooSmall(0), loc, value)
    else if (!Number.isSafeInteger(number)) this.found.add(tooLargeInteger, loc, value)
    else return number
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
  // A kind from which nothing is stored is accepted, however long its name is.
  const reader = readers.get(reading.text(body, 'type', ['body'], Number.POSITIVE_INFINITY))
  if (reader === undefined) return { kind: 'unknown' }
  return reader(reading.object(body, 'data', ['body']), reading, happenedAt(body, sentAt))
}

/** Returns when the event happened by the provider's clock; if the message does not say so, returns when it was sent. */
function happenedAt({ timestamp }: Members, sentAt: number): number {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof at === 'number' && Number.isSafeInteger(at) && at > 0 ? at : sentAt
}

type Reader = (data: Members, reading: Reading, happenedAt: number) => DirectoryEvent
const at = ['body', 'data']

const readUser: Reader = (data, reading) => ({
  kind: 'user',
  providerId: reading.text(data, 'id', at),
  changedAt: reading.time(data, 'updated_at', at),
  name: fullName(data),
  email: primaryEmail(data),
  imageUrl: pictureOf(data.image_url),
})

/** The provider does not guarantee that this message contains the user's id. Without the id, the message has no effect. */
const readUserDeleted: Reader = (data, reading, endedAt) =>
  data.id === undefined
    ? { kind: 'unknown' }
    : { kind: 'user_deleted', providerId: reading.text(data, 'id', at), endedAt }

const readMembership =
  (lasts: boolean): Reader =>
  (data, reading, happenedAt) => {
    const changedAt = reading.time(data, 'updated_at', at)
    return {
      kind: 'membership',
      membershipId: reading.text(data, 'id', at),
      providerId: reading.text(reading.object(data, 'public_user_data', at), 'user_id', [...at, 'public_user_data']),
      organization: isObject(data.organization) ? (line(data.organization.id) ?? '') : '',
      word: line(data.role) ?? '',
      changedAt,
      joinedAt: reading.time(data, 'created_at', at) || changedAt || happenedAt,
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
  const clean = oneLine(value)
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
