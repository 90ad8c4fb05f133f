// In charge of parsing a provider's message into the few facts that are stored. Pure.
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import {
  type ErrorLoc,
  type ErrorWords,
  errorAt,
  missing,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'

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
      /** '' if the message names no organization. */
      organization: string
      /** The provider's role word, unchanged; '' if the message has none. */
      word: string
      changedAt: number
      joinedAt: number
      /** Null: the membership has not ended. */
      endedAt: number | null
    }
  | { kind: 'unknown' }

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects the errors of a message while the message is read. */
class Reading {
  readonly errors: ValidationError[] = []

  refuse(words: ErrorWords, loc: ErrorLoc, input: unknown): void {
    this.errors.push(errorAt(loc, words, input))
  }

  text(from: Members, name: string, at: string[]): string {
    const value = from[name]
    if (typeof value === 'string' && value !== '' && value.length <= 255) return value
    if (value === undefined) this.refuse(missing, [...at, name], from)
    else this.refuse(wrongType.string, [...at, name], value)
    return ''
  }

  /** Milliseconds of the provider's clock; 0 if the message has no time, so that every message with a time overrides it. */
  time(from: Members, name: string, at: string[]): number {
    const value = from[name] ?? 0
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    this.refuse(wrongType.integer, [...at, name], value)
    return 0
  }

  object(from: Members, name: string, at: string[]): Members {
    const value = from[name]
    if (isObject(value)) return value
    if (value === undefined) this.refuse(missing, [...at, name], from)
    else this.refuse(wrongType.dictionary, [...at, name], value)
    return {}
  }
}

/**
 * Reads a message that was signed at `sentAt` (ms). Kinds of which nothing is stored become `unknown`. Throws `Invalid` for a
 * malformed message.
 */
export function readEvent(body: unknown, sentAt: number): DirectoryEvent {
  const reading = new Reading()
  const event = readBody(body, reading, sentAt)
  if (reading.errors.length > 0) throw new Invalid(reading.errors)
  return event
}

function readBody(body: unknown, reading: Reading, sentAt: number): DirectoryEvent {
  if (body === undefined || body === null) {
    reading.refuse(missing, ['body'], null)
    return { kind: 'unknown' }
  }
  if (!isObject(body)) {
    reading.refuse(wrongType.model, ['body'], body)
    return { kind: 'unknown' }
  }
  const reader = readers.get(reading.text(body, 'type', ['body']))
  if (reader === undefined) return { kind: 'unknown' }
  return reader(reading.object(body, 'data', ['body']), reading, happenedAt(body, sentAt))
}

/** When the event happened by the provider's clock, from a number of ms or a date-time; without one, when it was sent. */
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
  imageUrl: line(data.image_url),
})

/** The provider's types declare the id of a deleted user as optional: without an id there is no person to delete. */
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

/** A Map: in a plain object, inherited names such as `toString` would be found as kinds of message. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['user.created', readUser],
  ['user.updated', readUser],
  ['user.deleted', readUserDeleted],
  ['organizationMembership.created', readMembership(true)],
  ['organizationMembership.updated', readMembership(true)],
  ['organizationMembership.deleted', readMembership(false)],
])

/** A provider's text in a form that can be stored: one line of at most 255 characters; null if there is no text. */
function line(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const clean = value.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return clean === '' ? null : [...clean].slice(0, 255).join('')
}

const fullName = (data: Members): string | null =>
  line(
    [data.first_name, data.last_name]
      .map(line)
      .filter((part) => part !== null)
      .join(' '),
  ) ?? line(data.username)

/** The email address that the provider marks as primary; a person may have none. */
function primaryEmail(data: Members): string | null {
  const addresses = Array.isArray(data.email_addresses) ? data.email_addresses.filter(isObject) : []
  return line(addresses.find(({ id }) => id === data.primary_email_address_id)?.email_address)
}
