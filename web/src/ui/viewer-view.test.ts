// Facts about the position and size of a picture in the viewer.
import { describe, expect, test } from 'vitest'
import { fitScale, fitted, mostScale, panned, swipeStep, weightWords, zoomed } from './viewer-view.ts'

const stage = { width: 1000, height: 600 }
const photo = { width: 2000, height: 1000 }

test('a large picture fits with a margin, a small one is shown as it is', () => {
  expect(fitScale(photo, stage)).toBeCloseTo(0.47)
  expect(fitScale({ width: 300, height: 250 }, stage)).toBe(1)
  expect(fitScale({ width: 0, height: 0 }, stage)).toBe(1)
})

describe('zooming', () => {
  test('keeps what lies under the pointer', () => {
    const point = { x: 200, y: 100 }
    const before = { scale: 1, x: 50, y: 20 }
    const after = zoomed(before, 2, point, photo, stage)
    const under = (view: typeof before) => ({ x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale })
    expect(under(after)).toEqual(under(before))
  })
  test('ends at 16 times, and not above what fits', () => {
    const middle = { x: 0, y: 0 }
    expect(zoomed({ scale: 10, x: 0, y: 0 }, 100, middle, photo, stage).scale).toBe(mostScale)
    const huge = { width: 50_000, height: 50_000 }
    expect(zoomed(fitted(huge, stage), 0.01, middle, huge, stage).scale).toBe(fitScale(huge, stage))
  })
  test('out again brings the picture back to the middle', () => {
    const far = panned({ scale: 4, x: 0, y: 0 }, { x: 900, y: 900 }, photo, stage)
    expect(zoomed(far, 0.1, { x: 300, y: 0 }, photo, stage)).toMatchObject({ x: 0, y: 0 })
  })
})

test('a picture is moved to its edge and no further; what fits is not moved', () => {
  expect(panned({ scale: 1, x: 0, y: 0 }, { x: 9999, y: -9999 }, photo, stage)).toEqual({ scale: 1, x: 500, y: -200 })
  expect(panned(fitted(photo, stage), { x: 50, y: 50 }, photo, stage)).toEqual(fitted(photo, stage))
})

test('a swipe leads on where it is wide and level', () => {
  expect(swipeStep({ x: -120, y: 10 }, stage)).toBe(1)
  expect(swipeStep({ x: 120, y: -10 }, stage)).toBe(-1)
  expect(swipeStep({ x: 30, y: 0 }, stage)).toBe(0)
  expect(swipeStep({ x: 120, y: 90 }, stage)).toBe(0)
})

test('weights are in the units that ad managers use', () => {
  expect([17, 999, 149_700, 1_234_567].map(weightWords)).toEqual(['17 B', '999 B', '150 KB', '1.2 MB'])
})
