// Facts about the messages that users see for errors.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { fieldError, hasCode, messageOf, wordsOf, wordsOfService } from './errors.ts'

const invalid = new CallError({
  status: 422,
  code: 'invalid',
  detail: 'body.name: …',
  errors: [
    { type: 'value_error', loc: ['body', 'name'], msg: 'Value error, must be one line' },
    { type: 'missing', loc: ['body', 'variants', 1, 'key'], msg: 'Field required' },
  ],
})

test('a refusal is told in its own words', () => {
  expect(wordsOf(new CallError({ status: 409, code: 'task_deleted', detail: 'The task is deleted.' }))).toBe(
    'The task is deleted.',
  )
})

test('a 422 names each place, without the validator’s own words', () => {
  expect(wordsOf(invalid)).toBe('name: Must be one line. variants › 1 › key: Something is needed here.')
})

test('a regular expression is shown to nobody', () => {
  const error = { type: 'string_pattern_mismatch', loc: ['body', 'size'], msg: "String should match pattern '^a|b$'" }
  expect(messageOf(error)).toBe('This does not have the form that is needed here.')
})

test('no answer at all is told as such', () => {
  expect(wordsOf(new TypeError('Failed to fetch'))).toContain('cannot be reached')
})

test('the words of the service are told from those of a proxy, and from no answer', () => {
  const detail = 'The disk of the database is full.'
  expect(wordsOfService(new CallError({ status: 503, code: 'database_unavailable', detail }))).toBe(detail)
  expect(wordsOfService(new CallError({ status: 502, code: 'unknown', detail: '<h1>Bad Gateway</h1>' }))).toBeNull()
  expect(wordsOfService(new TypeError('Failed to fetch'))).toBeNull()
})

test('a field gets what is said of it and of what is in it', () => {
  expect(fieldError(invalid, 'name')).toBe('Must be one line.')
  expect(fieldError(invalid, 'variants', 1)).toBe('Something is needed here.')
  expect(fieldError(invalid, 'variants', 0)).toBeNull()
  expect(fieldError(new Error('x'), 'name')).toBeNull()
})

test('codes are told apart', () => {
  expect(hasCode(invalid, 'invalid')).toBe(true)
  expect(hasCode(invalid, 'task_deleted')).toBe(false)
})

test('what has no place is named, and no input, string or list is spoken of', () => {
  const of = (type: string, msg: string) => messageOf({ type, loc: ['body', 'params', 'size'], msg })
  expect(of('extra_forbidden', 'Extra inputs are not permitted')).toBe(
    'There is no place for “size” here. Take it away.',
  )
  expect(of('string_too_long', 'String should have at most 255 characters')).toBe(
    'This should have at most 255 characters.',
  )
  expect(of('int_type', 'Input should be a valid integer')).toBe('This should be a valid integer.')
  expect(of('missing', 'Lead something to it')).toBe('Lead something to it.')
})
