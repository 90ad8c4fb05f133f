// Facts about what is said of an automation whose owner may not act.
import { describe, expect, test } from 'vitest'
import { ownerHint } from './owner-hint.ts'

const now = Date.parse('2026-11-27T12:00:00.000Z')
const person = { name: 'Ada', role: 'writer', active: true } as const
const token = {
  ...{ name: 'Uploader', revoked_at: null, expires_at: '2026-11-27T12:00:01.000Z' },
  scopes: ['read' as const, 'runs:write' as const, 'tasks:write' as const],
}
const until = 'Until then, its tasks fail.'

test('nothing is said of an owner who may act', () => {
  expect(ownerHint({ person }, true, now)).toBe(null)
  expect(ownerHint({ person: { ...person, role: 'admin' } }, true, now)).toBe(null)
  expect(ownerHint({ token }, true, now)).toBe(null)
})

describe('it is said of', () => {
  test('a person who has left, whatever their role', () => {
    expect(ownerHint({ person: { ...person, active: false } }, true, now)).toBe(
      `Ada has left. Save it to have it act for you. ${until}`,
    )
  })

  test('a person who is a reader now', () => {
    expect(ownerHint({ person: { ...person, role: 'reader' } }, true, now)).toBe(
      `Ada is a reader and may not write runs or tasks. Save it to have it act for you. ${until}`,
    )
  })

  test.each([
    [{ ...token, revoked_at: '2026-11-01T00:00:00.000Z' }, 'is revoked.'],
    [{ ...token, expires_at: '2026-11-27T12:00:00.000Z' }, 'has expired.'],
    [{ ...token, scopes: ['read' as const, 'runs:write' as const] }, 'may not write tasks.'],
  ])('an integration whose token is not good for it: %$', (owner, problem) => {
    expect(ownerHint({ token: owner }, true, now)).toMatch(`The token “Uploader” ${problem}`)
  })
})

test('who may not save it is told that an admin has to', () => {
  expect(ownerHint({ person: { ...person, active: false } }, false, now)).toBe(
    `Ada has left. An admin has to save it, and it then acts for that admin. ${until}`,
  )
})
