// Facts about the new name that is proposed for a creative whose name now belongs to another creative.
import { expect, test } from 'vitest'
import { freeName } from './free-name.ts'

test('a suffix tells it apart, and counts on', () => {
  expect(freeName('T42_Glow_V1_01')).toBe('T42_Glow_V1_01_r1')
  expect(freeName('T42_Glow_V1_01_r1')).toBe('T42_Glow_V1_01_r2')
})

test('a name never gets longer than names may be', () => {
  expect(freeName('x'.repeat(255))).toHaveLength(255)
})
