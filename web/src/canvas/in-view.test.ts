// Facts about keeping a whole graph visible when its canvas becomes smaller.
import { expect, test } from 'vitest'
import { inView, movedIntoView, spaceForMap } from './in-view.ts'

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

test('beside the small map, a wide graph stands above it and a tall one on its left', () => {
  const [canvas, map] = [
    { width: 1000, height: 600 },
    { width: 200, height: 150 },
  ]
  expect(spaceForMap({ width: 4000, height: 300 }, canvas, map)).toEqual({ right: 0, bottom: 150 })
  expect(spaceForMap({ width: 300, height: 4000 }, canvas, map)).toEqual({ right: 200, bottom: 0 })
  expect(spaceForMap({ width: 100, height: 100 }, canvas, map)).toEqual({ right: 0, bottom: 150 })
})
