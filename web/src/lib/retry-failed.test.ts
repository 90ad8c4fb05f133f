// Facts about what is read again when a user tries again.
import { expect, test } from 'vitest'
import { retryFailed } from './retry-failed.ts'

test('everything that failed is read again, and what is there is left alone', () => {
  const again: string[] = []
  const read = (name: string, isError: boolean) => ({ isError, refetch: () => again.push(name) })
  retryFailed(read('graph', false), read('types', true), read('caller', true))
  expect(again).toEqual(['types', 'caller'])
})
