// Facts about keeping a whole graph visible when its canvas becomes smaller.
import { expect, test } from 'vitest'
import { inView, movedIntoView } from './in-view.ts'

const bounds = { x: 0, y: 100, width: 400, height: 200 }
const viewport = { x: 50, y: 200, zoom: 1 }

test('all of it is in sight, or a part of it is not', () => {
  expect(inView(bounds, viewport, { width: 800, height: 500 })).toBe(true)
  expect(inView(bounds, viewport, { width: 800, height: 400 })).toBe(false)
  expect(inView(bounds, { ...viewport, x: -1 }, { width: 800, height: 500 })).toBe(false)
})

test('it is moved no further than needed, and keeps its zoom', () => {
  const moved = movedIntoView(bounds, viewport, { width: 800, height: 300 })
  expect(moved).toEqual({ x: 50, y: 0, zoom: 1 })
  expect(moved && inView(bounds, moved, { width: 800, height: 300 })).toBe(true)
})

test('what does not fit at this zoom is not moved', () => {
  expect(movedIntoView(bounds, viewport, { width: 800, height: 150 })).toBe(null)
})
