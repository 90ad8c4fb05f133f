// Facts about counting requests: which caller a request counts for, and that a caller cannot reset the counts of other callers.
import { expect, test } from 'vitest'
import type { Actor } from '../actor.ts'
import { addressKey, createRates } from './rates.ts'

const clock = { now: () => 0 }
const actor = (userId: string): Actor => ({ tokenId: null, userId, role: 'reader', name: null, scopes: new Set() })

test.for<[string, string]>([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::9', addressKey('2001:db8:1:2:ffff:ffff:ffff:ffff')],
  ['not an address', 'not an address'],
])('%s is counted as %s', ([address, key]) => {
  expect(addressKey(address)).toBe(key)
})

test('networks beside each other are two', () => {
  expect(addressKey('2001:db8:1:2::9')).not.toBe(addressKey('2001:db8:1:3::9'))
})

test('any number of addresses neither empties the count of a caller, nor that of an address that goes on asking', () => {
  const rates = createRates({ rateLimit: 2, addressRateLimit: 25 }, clock)
  const reader = actor('reader')
  const ask = () => {
    rates.stranger('203.0.113.1')
    rates.known('203.0.113.1', reader)
  }
  for (let time = 0; time < 2; time++) ask()
  let refusedAt = 0
  for (let at = 0; at < 100_000 && refusedAt === 0; at++) {
    rates.stranger(`2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`)
    if (at % 1000 !== 0) continue
    try {
      rates.stranger('198.51.100.1')
    } catch {
      refusedAt = at
    }
  }
  expect(refusedAt).toBe(25_000)
  expect(ask).toThrow('More than 2 requests in a minute')
})
