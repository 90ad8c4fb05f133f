// Facts about the new name that is proposed for a creative whose name now belongs to another creative.
import { expect, test } from 'vitest'
import { proposedName } from './proposed-name.ts'

test('a suffix tells it apart, and counts on', () => {
  expect(proposedName('T42_Glow_V1_01')).toBe('T42_Glow_V1_01_r1')
  expect(proposedName('T42_Glow_V1_01_r1')).toBe('T42_Glow_V1_01_r2')
})

test('a name never gets longer than names may be', () => {
  expect(proposedName('x'.repeat(255))).toHaveLength(255)
})

test('no character is cut in two, and a number that is too long to count is left alone', () => {
  expect(proposedName(`${'x'.repeat(251)}😀`)).toBe(`${'x'.repeat(251)}😀_r1`)
  expect(proposedName(`${'x'.repeat(252)}😀`)).toBe(`${'x'.repeat(252)}_r1`)
  expect(proposedName('a_r9007199254740992')).toBe('a_r9007199254740992_r1')
})
