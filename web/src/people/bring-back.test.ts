// Facts about the name under which a deleted template comes back.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { createUnderFreeName } from './bring-back.ts'

const refusedWith = (code: CallError['code']) => new CallError({ status: 409, code, detail: 'Refused.' })

/** Stands for the service: refuses names that are taken, and those that are too long. */
const creating = (...taken: string[]) => {
  const names = new Set(taken)
  return async (name: string) => {
    if (names.has(name)) throw refusedWith('template_exists')
    if (name.length > 120) throw refusedWith('invalid')
    names.add(name)
  }
}

test('a template comes back under its name, or under the first number that is free if another has the name', async () => {
  expect(await createUnderFreeName('UGC', creating())).toBe('UGC')
  expect(await createUnderFreeName('UGC', creating('UGC'))).toBe('UGC 2')
  expect(await createUnderFreeName('UGC', creating('UGC', 'UGC 2'))).toBe('UGC 3')
})

test('a long name is cut for its number', async () => {
  const long = 'x'.repeat(120)
  expect(await createUnderFreeName(long, creating(long))).toBe(`${'x'.repeat(118)} 2`)
})

test('whatever else is wrong is not tried again', async () => {
  const refused = refusedWith('database_unavailable')
  await expect(createUnderFreeName('UGC', () => Promise.reject(refused))).rejects.toBe(refused)
})
