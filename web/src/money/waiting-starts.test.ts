// Facts about starts that wait for the user's word on their costs: each gets an answer of its own.
import { expect, test } from 'vitest'
import { askUser, firstWaiting } from './waiting-starts.ts'

test('two starts are asked about one after the other, and neither gets the limit of the other', async () => {
  const first = askUser({ kind: 'limit', why: 'The first.' })
  const second = askUser({ kind: 'limit', why: 'The second.' })
  const asked = firstWaiting()
  expect(asked?.why).toBe('The first.')
  asked?.answer(1)
  const next = firstWaiting()
  expect(next?.why).toBe('The second.')
  expect(next?.id).not.toBe(asked?.id)
  // A late word on the first changes nothing about the second.
  asked?.answer(5)
  expect(firstWaiting()).toBe(next)
  next?.answer(null)
  expect(firstWaiting()).toBe(null)
  expect(await Promise.all([first, second])).toEqual([1, null])
})
