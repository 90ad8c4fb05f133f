// Facts about limits of providers: which limit applies, and how processes share it.
import { describe, expect, test } from 'vitest'
import { parseProviderLimits } from '../../platform/provider-limits.ts'
import { bucketOf, grantOf, limitOf, providerAsked, shareOf } from './provider-limits.ts'

describe('the limit that counts', () => {
  const limits = parseProviderLimits('api.example.com=100/3000, api.example.com/v1:slow=2, localhost:8188=1')
  test.for([
    ['api.example.com/v1:quick', 'api.example.com', 100, 3000],
    ['api.example.com/v1:slow', 'api.example.com/v1:slow', 2, null],
    ['api.example.com/v1:slower', 'api.example.com', 100, 3000],
    ['localhost:8188/prompt:any', 'localhost:8188', 1, null],
    ['localhost:9999/v1:model', 'localhost:9999', 32, null],
    ['api.example.community/v1:m', 'api.example.community', 32, null],
    ['sample', 'sample', 32, null],
  ] as const)('of %s is that of %s', ([provider, name, calls, perMinute]) => {
    expect(limitOf(limits, provider)).toEqual({ name, calls, perMinute })
  })

  test.for(['api.example.com', 'x=0', 'x=1/0', 'x=-1', '=4', 'x=1,', 'x = 4'])('is refused as %s', (text) => {
    expect(() => parseProviderLimits(text)).toThrow(/must list limits such as/)
  })
})

test('what costs something or cannot be repeated asks somebody, named or not; what is free and named nobody does not', () => {
  const type = { type: 'test.type', provider: () => null, credits: { least: 0, most: 0, note: '' }, retry_safe: true }
  expect(providerAsked(type, {})).toBeNull()
  expect(providerAsked({ ...type, provider: () => 'host/v1:m' }, {})).toBe('host/v1:m')
  expect(providerAsked({ ...type, credits: { least: 0, most: null, note: '' } }, {})).toBe('test.type')
  expect(providerAsked({ ...type, retry_safe: false }, {})).toBe('test.type')
})

describe('processes share a limit', () => {
  const claim = (holder: string, wanted: number, granted = 0, servedAt = 0) => ({ holder, wanted, granted, servedAt })
  const shares = (calls: number, ...wanted: number[]): number[] => {
    const claims = wanted.map((count, index) => claim(`p${index}`, count))
    return claims.map(({ holder }) => shareOf(calls, holder, claims))
  }

  test('small wants are met, the others are equal, and nothing is left while somebody wants it', () => {
    expect(shares(100, 5000, 3)).toEqual([97, 3])
    expect(shares(100, 5000, 5000)).toEqual([50, 50])
    expect(shares(100, 5000, 20, 5000)).toEqual([40, 20, 40])
    expect(shares(10, 9, 9, 9)).toEqual([4, 3, 3])
    expect(shares(10, 1, 2)).toEqual([1, 2])
    expect(shares(2, 0, 7)).toEqual([0, 2])
  })

  test('what cannot be divided goes to whoever was given something longest ago', () => {
    expect(shareOf(1, 'new', [claim('old', 9, 1, 50), claim('new', 1)])).toBe(1)
    expect(shareOf(1, 'old', [claim('old', 9, 1, 50), claim('new', 1)])).toBe(0)
  })

  test('nothing is given that another still holds, and calls under way stay', () => {
    const holding = claim('other', 100, 100)
    expect(grantOf(100, { ...claim('me', 10), used: 0 }, [holding])).toEqual({ share: 10, granted: 0 })
    expect(grantOf(100, { ...claim('me', 10), used: 0 }, [claim('other', 100, 95)])).toEqual({ share: 10, granted: 5 })
    expect(grantOf(100, { ...claim('me', 500), used: 80 }, [claim('other', 500)])).toEqual({ share: 50, granted: 80 })
  })
})

test('no minute has more calls than are set, wherever it begins', () => {
  for (const perMinute of [1, 2, 7, 60, 3000]) {
    const { size, perSecond } = bucketOf(perMinute)
    // The most calls that can begin in one minute: one for each token of a full bucket, and one for each token that is added
    // before the minute is over.
    const most = size + Math.ceil(perSecond * 60) - 1
    expect(most).toBeLessThanOrEqual(perMinute)
    expect(perSecond).toBeGreaterThan(0)
  }
})
