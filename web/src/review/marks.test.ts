// Facts about marks: they stay at their place in the picture at any zoom, and a mark on a film is shown at its time.
import { expect, test } from 'vitest'
import { begun, drawn, finished, inPicture, isAround, isOnPicture, onStage, timeWords } from './marks.ts'

const placed = {
  view: { scale: 0.5, x: 30, y: -10 },
  size: { width: 800, height: 400 },
  stage: { width: 1000, height: 600 },
}

test('a point is the same on the stage and in the picture', () => {
  expect(onStage([0.25, 0.75], placed)).toEqual({ x: 430, y: 340 })
  expect(inPicture({ x: 430, y: 340 }, placed)).toEqual([0.25, 0.75])
})

test('what lies beside the picture is its edge', () => {
  expect(inPicture({ x: 0, y: 600 }, placed)).toEqual([0, 1])
})

test('a press beside the picture is none on it, but for a few pixels along its edge', () => {
  const on = [0, 1].map((part) => onStage([part, part], placed))
  expect(on.map((point) => isOnPicture(point, placed))).toEqual([true, true])
  const apart = (by: number) => on.map(({ x, y }, at) => isOnPicture({ x: x + (at === 0 ? -by : by), y }, placed))
  expect([apart(5), apart(9)]).toEqual([
    [true, true],
    [false, false],
  ])
  expect(isOnPicture({ x: 430, y: 20 }, placed)).toBe(false)
})

test('a pin follows the pointer, a box spans it, strokes gather', () => {
  expect(drawn(begun('pin', null, [0, 0]), [1, 1])).toEqual({ kind: 'pin', lines: [[[1, 1]]] })
  const box = drawn(drawn(begun('box', null, [0, 0]), [0.5, 0.5]), [1, 1])
  expect(box).toEqual({
    kind: 'box',
    lines: [
      [
        [0, 0],
        [1, 1],
      ],
    ],
  })
  const one = drawn(begun('strokes', null, [0, 0]), [1, 1])
  expect(begun('strokes', one, [0.5, 0.5]).lines).toEqual([
    [
      [0, 0],
      [1, 1],
    ],
    [[0.5, 0.5]],
  ])
})

test('a box that was only touched is a pin', () => {
  expect(finished(begun('box', null, [0.1, 0.2]))).toEqual({ kind: 'pin', lines: [[[0.1, 0.2]]] })
})

test.for([
  [7.9, '0:07'],
  [62, '1:02'],
  [3723, '1:02:03'],
] as const)('%d seconds read as %s', ([seconds, words]) => {
  expect(timeWords(seconds)).toBe(words)
})

test('a mark on a film is seen at its time and for a moment after, one without a time always', () => {
  const at = (from_seconds: number | null, to_seconds: number | null = null) => ({ from_seconds, to_seconds })
  const seen = [0, 1.95, 2, 2.4, 2.6].map((seconds) => isAround(at(2), seconds))
  expect(seen).toEqual([false, true, true, true, false])
  expect([isAround(at(2, 4), 3), isAround(at(2, 4), 5), isAround(at(null), 99)]).toEqual([true, false, true])
})
