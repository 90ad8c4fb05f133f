// Facts about what a user is told of a launch that they have recorded.
import { expect, test } from 'vitest'
import { elsewhereWords, outcomeOf, outcomeOfRepeat } from './launch-outcome.ts'

const sent = { ad_id: '120', launched_at: '2026-10-01T08:00:00Z', creativeId: 'mine' }
const taken = { at: '2026-10-02T08:00:00.000Z', by: null, ad_id: null }
const launch = (changed: object = {}) => ({
  ...{ ad_id: '120', launched_at: '2026-10-01T08:00:00.000Z', creative_id: 'mine', voided: null },
  ...changed,
})

test('a launch that went to another creative is not told as recorded for this one', () => {
  expect(outcomeOf(sent, { recorded: true, creative_id: 'theirs' })).toEqual({ elsewhere: 'theirs', recorded: true })
  expect(outcomeOf(sent, { recorded: true, creative_id: null })).toBe('waiting')
  expect(outcomeOf(sent, { recorded: true, creative_id: 'mine' })).toBe('new')
  expect(outcomeOf({ ...sent, creativeId: null }, { recorded: true })).toBe('new')
  expect(outcomeOf(sent, { recorded: false, creative_id: 'mine' })).toBe('repeated')
})

test('of a launch that another creative had before, nobody is told that it went there', () => {
  expect(outcomeOf(sent, { recorded: false, creative_id: 'theirs' })).toEqual({ elsewhere: 'theirs', recorded: false })
  expect(elsewhereWords('A_01', '120', true)).toContain('went to that one')
  expect(elsewhereWords('A_01', '120', false)).toMatch(/^Nothing was recorded: “A_01” is the name of another creative/)
})

test('a launch that equals one that was taken back was not recorded', () => {
  expect(outcomeOfRepeat(sent, [launch({ voided: taken })])).toBe('voided')
  const ofPack = { ...sent, creativeId: null }
  expect(outcomeOfRepeat(ofPack, [launch({ creative_id: null, voided: taken })])).toBe('voided')
})

test('a launch that is there, or that only resembles one that was taken back, was recorded before', () => {
  expect(outcomeOfRepeat(sent, [launch({ voided: taken }), launch()])).toBe('before')
  for (const other of [{ ad_id: '121' }, { creative_id: 'theirs' }, { launched_at: '2026-10-01T08:01:00.000Z' }])
    expect(outcomeOfRepeat(sent, [launch({ ...other, voided: taken })])).toBe('before')
})

test('without a date, a launch that is not recorded was taken back, unless one is there', () => {
  const undated = { ...sent, launched_at: null }
  expect(outcomeOfRepeat(undated, [launch({ voided: taken })])).toBe('voided')
  expect(outcomeOfRepeat(undated, [launch({ voided: taken }), launch({ launched_at: '2026-11-01T08:00:00Z' })])).toBe(
    'before',
  )
})
