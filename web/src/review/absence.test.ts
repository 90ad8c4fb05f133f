// Facts about telling that a creative was deleted.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { absenceOf } from './absence.ts'

const refused = (code: CallError['code'], status: number) => new CallError({ status, code, detail: '' })

test('a creative is deleted while its record says so, and gone once there is no record', () => {
  expect(absenceOf({ deleted_at: null }, null)).toBe(null)
  expect(absenceOf({ deleted_at: '2026-10-01T08:00:00Z' }, null)).toBe('deleted')
  expect(absenceOf({ deleted_at: '2026-10-01T08:00:00Z' }, refused('not_found', 404))).toBe('gone')
})

test('a creative that is not read yet, or cannot be read just now, is not taken for a deleted one', () => {
  expect(absenceOf(undefined, null)).toBe(null)
  expect(absenceOf(undefined, refused('unknown', 503))).toBe(null)
  expect(absenceOf({ deleted_at: null }, new TypeError('Failed to fetch'))).toBe(null)
})
