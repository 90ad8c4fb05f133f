// Facts about which bulk changes count as large.
import { expect, test } from 'vitest'
import { bytesWritten } from './large-changes.ts'

const variants = Array.from({ length: 100 }, (_, at) => ({ key: `${at}`, variation_num: at + 1 }))

test('a patch writes what it contains to each task', () => {
  expect(bytesWritten({ priority: 1 })).toBeLessThan(20)
  expect(bytesWritten({ landing: 'x'.repeat(100_000) })).toBeGreaterThan(100_000)
})

test('a patch that plans names writes these too, for as many variants or names as a task may have', () => {
  expect(bytesWritten({ count: 100, variants })).toBeGreaterThan(100_000)
  expect(bytesWritten({ count: 100 })).toBeGreaterThan(100_000)
  expect(bytesWritten({ variants })).toBeGreaterThan(100_000)
  expect(bytesWritten({ count: 1, variants: variants.slice(0, 2) })).toBeLessThan(1_000)
  expect(bytesWritten({ count: null, variants: [] })).toBeLessThan(3_000)
})
