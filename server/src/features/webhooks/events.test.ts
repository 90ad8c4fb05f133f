// Facts about what an identity provider's message is read as, and about the words with which a malformed one is refused.
import { Invalid } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { readTrustedJson } from '../../platform/json-body.ts'
import { readEvent } from './events.ts'

const read = (raw: string) => readEvent(readTrustedJson(Buffer.from(raw)), 1)
const updated = (members: string) => `{"type":"user.updated","data":{${members}}}`

function errorsOf(raw: string) {
  try {
    read(raw)
  } catch (error) {
    if (error instanceof Invalid) return error.detail
    throw error
  }
  throw new Error('the message was taken')
}

test.each([
  ['"id":""', 'string_too_short', 'id'],
  [`"id":"${'x'.repeat(256)}"`, 'string_too_long', 'id'],
  ['"id":7', 'string_type', 'id'],
  ['"id":12345678901234567891', 'string_type', 'id'],
  [String.raw`"id":"u\ud83d"`, 'value_error', 'id'],
  [String.raw`"id":"u\u0000"`, 'value_error', 'id'],
  ['"id":"u","updated_at":1.5', 'int_from_float', 'updated_at'],
  ['"id":"u","updated_at":-1', 'greater_than_equal', 'updated_at'],
  ['"id":"u","updated_at":9007199254740992', 'int_parsing_size', 'updated_at'],
  ['"id":"u","updated_at":12345678901234567891', 'int_parsing_size', 'updated_at'],
  ['"id":"u","updated_at":"1"', 'int_type', 'updated_at'],
  ['"id":"u","updated_at":1e400', 'finite_number', 'updated_at'],
])('a user with %s is refused as %s', (members, type, name) => {
  expect(errorsOf(updated(members))).toMatchObject([{ type, loc: ['body', 'data', name] }])
})

test('data that is a number is refused, also where a double would change it', () => {
  for (const data of ['7', '12345678901234567891']) {
    const [first] = errorsOf(`{"type":"user.updated","data":${data}}`)
    expect(first).toMatchObject({ type: 'dict_type', loc: ['body', 'data'] })
  }
})

test('of a long value that is refused, an error repeats only the beginning', () => {
  const [error] = errorsOf(updated(`"id":"${'x'.repeat(100_000)}"`))
  expect(error?.input).toBe(`${'x'.repeat(200)}…`)
})

test('members that are not read may hold anything that is JSON', () => {
  for (const held of ['{"n":12345678901234567891}', '-1e400', String.raw`"\ud83d\u0000"`, '{"__proto__":{"id":"v"}}'])
    expect(read(updated(`"id":"u","updated_at":1,"more":${held},"__proto__":${held}`))).toEqual(
      read(updated('"id":"u","updated_at":1')),
    )
})

test('an error about a message that is nested deeper than any body repeats its beginning', () => {
  const [error] = errorsOf(updated(`"more":${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  expect(error).toMatchObject({
    type: 'missing',
    loc: ['body', 'data', 'id'],
    input: expect.stringMatching(/^.{200}…$/),
  })
})

test('the end of a membership is read whatever times it states', () => {
  const ended = (times: string) =>
    read(`{"type":"organizationMembership.deleted","data":{"id":"m","public_user_data":{"user_id":"u"},${times}}}`)
  const expected = { kind: 'membership', membershipId: 'm', providerId: 'u', endedAt: 1 }
  for (const time of ['"yesterday"', '1.5', '-1', '1e400', '{}'])
    expect(ended(`"updated_at":${time},"created_at":${time}`)).toMatchObject({ ...expected, changedAt: 0, joinedAt: 1 })
})

test('an address is read whole or not at all', () => {
  const event = (email: string, picture: string) =>
    read(
      updated(
        `"id":"u","image_url":"${picture}","primary_email_address_id":"m","email_addresses":[{"id":"m","email_address":"${email}"}]`,
      ),
    )
  const picture = 'https://example.com/'.padEnd(2048, 'a')
  expect(event('ada@example.com', picture)).toMatchObject({ email: 'ada@example.com', imageUrl: picture })
  expect(event('ada@example.com'.padEnd(256, 'm'), `${picture}a`)).toMatchObject({ email: null, imageUrl: null })
})

test('a kind of message from which nothing is stored is accepted, however long its name is', () => {
  expect(read(`{"type":"${'x'.repeat(1000)}","data":{}}`)).toEqual({ kind: 'unknown' })
})
