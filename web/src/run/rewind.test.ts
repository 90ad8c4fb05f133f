// Facts about the changes that are listed before a user restores a run to a checkpoint.
import { expect, test } from 'vitest'
import { type RunCheckpoint, rewindOf } from './rewind.ts'

const now = (status: 'succeeded' | 'failed' | 'cached', outputs: Record<string, unknown>) => ({
  ...{ status, outputs, progress: 1, error: '', message: '', credits_consumed: 0, duration_seconds: 0 },
  ...{ checkpoint: {}, items: {} },
})
const past = (status: 'succeeded' | 'failed', outputs: Record<string, unknown>) => ({
  ...{ status, outputs, error: '', items: null },
})
const checkpoint: RunCheckpoint = {
  ...{ at: '', kind: 'rest', definition: {}, ui_state: {}, status: 'failed', error: null, targets: [] },
  nodes: { same: past('succeeded', { a: 1 }), other: past('succeeded', { a: 1 }), broken: past('failed', {}) },
  answers: { gate: { selected: [1] }, kept: true },
}

test('what a node made otherwise comes back, what is newer is gone, and what is alike is only counted', () => {
  const run = {
    nodes: {
      same: now('cached', { a: 1 }),
      other: now('succeeded', { a: 2 }),
      broken: now('succeeded', {}),
      newer: now('succeeded', { a: 3 }),
    },
    answers: { gate: { selected: [2] }, kept: true, late: true },
    targets: ['other'],
  }
  expect(rewindOf(run, checkpoint, ['same', 'other', 'broken', 'newer', 'never'])).toEqual({
    nodes: [
      { id: 'other', kind: 'back', was: checkpoint.nodes.other, sameOutputs: false },
      { id: 'broken', kind: 'back', was: checkpoint.nodes.broken, sameOutputs: true },
      { id: 'newer', kind: 'undone' },
    ],
    same: 1,
    answersBack: ['gate'],
    answersGone: ['late'],
    targets: [],
  })
})
