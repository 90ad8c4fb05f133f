// Facts about safe zones: only pictures of 9:16 have them.
import { expect, test } from 'vitest'
import { safeZones, zonesFor } from './safe-zones.ts'

test('they hold for pictures of 9:16, of whatever size, and for no others', () => {
  for (const [width, height] of [
    [1080, 1920],
    [720, 1280],
    [1085, 1920],
  ] as const)
    expect(zonesFor({ width, height })).toBe(safeZones)
  for (const [width, height] of [
    [1080, 1350],
    [1920, 1080],
    [1110, 1920],
    [0, 0],
  ] as const)
    expect(zonesFor({ width, height })).toEqual([])
  expect(zonesFor(null)).toEqual([])
})
