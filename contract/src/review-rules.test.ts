// Facts about the review state of a creative, which depends on its reviewers and their decisions; and facts about marks.
import { describe, expect, test } from 'vitest'
import { markProblem, reviewOf } from './review-rules.ts'

const accepted = (reviewer: string | null) => ({ reviewer, decision: 'accepted' as const })
const wanting = (reviewer: string | null) => ({ reviewer, decision: 'changes_wanted' as const })

describe('a review', () => {
  test.for([
    ['one', [], [], 'open', []],
    ['one', [], [accepted(null)], 'accepted', []],
    ['one', [], [accepted('a'), wanting(null)], 'changes_wanted', []],
    ['one', ['a', 'b'], [], 'awaited', ['a', 'b']],
    ['one', ['a', 'b'], [accepted('b')], 'accepted', []],
    ['one', ['a', 'b'], [accepted('c')], 'awaited', ['a', 'b']],
    ['one', ['a', 'b'], [accepted('a'), wanting('c')], 'changes_wanted', []],
    ['all', ['a', 'b'], [accepted('a')], 'awaited', ['b']],
    ['all', ['a', 'b'], [accepted('a'), accepted('b')], 'accepted', []],
    ['all', ['a', 'b'], [accepted('a'), wanting('b')], 'changes_wanted', []],
    ['all', ['a', 'b'], [wanting('a')], 'changes_wanted', ['b']],
  ] as const)('that needs %s of %j with %j is %s', ([needs, reviewers, held, state, awaited]) => {
    expect(reviewOf({ needs, reviewers }, held)).toEqual({ state, awaited })
  })
})

describe('a mark', () => {
  test.for([
    ['pin', [[[0.5, 0.5]]], null],
    [
      'pin',
      [
        [
          [0, 0],
          [1, 1],
        ],
      ],
      'one point',
    ],
    [
      'box',
      [
        [
          [0, 0],
          [1, 1],
        ],
      ],
      null,
    ],
    ['box', [[[0, 0]], [[1, 1]]], 'two points'],
    ['strokes', [[[0, 0]], [[1, 1]]], null],
    ['strokes', Array.from({ length: 5 }, () => Array.from({ length: 401 }, () => [0, 0])), '2000 points'],
  ] as const)('of kind %s is as large as it may be', ([kind, lines, problem]) => {
    const found = markProblem({ kind, lines: lines.map((line) => line.map((point) => [...point])) })
    if (problem === null) expect(found).toBeNull()
    else expect(found).toContain(problem)
  })
})
