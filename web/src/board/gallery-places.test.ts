// Facts about the positions of tiles in the gallery.
import { expect, test } from 'vitest'
import { tileAfter, tileGap, tilesFor } from './gallery-places.ts'

test('tiles fill the width there is, and never more', () => {
  for (const room of [100, 358, 519, 520, 768, 1248, 1408, 3800]) {
    const { lanes, width } = tilesFor(room)
    const used = lanes * width + (lanes - 1) * tileGap
    expect(used).toBeLessThanOrEqual(room)
    expect(used).toBeGreaterThan(room - lanes)
  }
  expect(tilesFor(358).lanes).toBe(2)
  expect(tilesFor(1408).lanes).toBe(5)
})

test('a page without any width yet has one tile beside another', () => {
  expect(tilesFor(0)).toMatchObject({ lanes: 1, width: 1 })
})

test('arrows and letters lead to the tile beside, above and below', () => {
  expect(tileAfter('ArrowRight', 1, 3, 9)).toBe(2)
  expect(tileAfter('h', 1, 3, 9)).toBe(0)
  expect(tileAfter('j', 1, 3, 9)).toBe(4)
  expect(tileAfter('ArrowUp', 4, 3, 9)).toBe(1)
  expect(tileAfter('j', null, 3, 9)).toBe(0)
})

test('no key leads out of the gallery, and the way down ends at the last tile', () => {
  expect(tileAfter('ArrowLeft', 0, 3, 9)).toBeNull()
  expect(tileAfter('ArrowUp', 2, 3, 9)).toBeNull()
  expect(tileAfter('ArrowRight', 8, 3, 9)).toBeNull()
  expect(tileAfter('ArrowDown', 5, 3, 7)).toBe(6)
  expect(tileAfter('ArrowDown', 6, 3, 7)).toBeNull()
  expect(tileAfter('j', null, 3, 0)).toBeNull()
  expect(tileAfter('x', 1, 3, 9)).toBeNull()
})
