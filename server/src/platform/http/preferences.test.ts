// Facts about reading the Prefer header.
import { expect, test } from 'vitest'
import { wantsMinimal } from './preferences.ts'

test.each([
  'return=minimal',
  'Return = "minimal"',
  'respond-async, return=minimal; foo=1',
  ['wait=10', 'return=minimal'],
  'return=minimal, return=representation',
])('%j asks for a minimal answer', (header) => {
  expect(wantsMinimal(header)).toBe(true)
})

test.each([
  undefined,
  '',
  'return=representation',
  'return=representation, return=minimal',
  'minimal',
  'x-return=minimal',
])('%j does not', (header) => {
  expect(wantsMinimal(header)).toBe(false)
})
