// Facts about the length of a film's frames: it is learned only from two frames that directly follow each other.
import { expect, test } from 'vitest'
import { learned } from './frames.ts'

const frame = (presentedFrames: number, mediaTime: number) => ({ presentedFrames, mediaTime })
const unknown = 1 / 30

test('the length of frames is that between two neighbours', () => {
  expect(learned(unknown, frame(1, 0), frame(2, 0.04))).toBe(0.04)
  expect(learned(0.04, frame(2, 0.04), frame(3, 0.08))).toBe(0.04)
  // The length 0.08 was learned while the film skipped a frame; these frames follow each other, so the shorter length replaces it.
  expect(learned(0.08, frame(3, 0.08), frame(4, 0.12))).toBeCloseTo(0.04)
})

test('what is no neighbour says nothing', () => {
  expect(learned(unknown, null, frame(1, 3))).toBe(unknown)
  expect(learned(unknown, frame(1, 0), frame(3, 0.08))).toBe(unknown)
  expect(learned(unknown, frame(1, 0), frame(2, 3))).toBe(unknown)
  expect(learned(unknown, frame(1, 3), frame(2, 0))).toBe(unknown)
})
