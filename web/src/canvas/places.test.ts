// Facts about the positions of new nodes, and about the paths of wires.
import { expect, test } from 'vitest'
import { freePlace } from './places.ts'
import { wayOf } from './wire-path.ts'

const size = { width: 240, height: 120 }

test('a new node stands where it is wished, or the nearest way up or down that is free', () => {
  expect(freePlace({ x: 0, y: 0 }, size, [])).toEqual({ x: 0, y: 0 })
  expect(freePlace({ x: 0, y: 0 }, size, [{ x: 400, y: 0, ...size }])).toEqual({ x: 0, y: 0 })
  // The node that is in the way is tall: it begins above the wanted position and ends far below it.
  expect(freePlace({ x: 0, y: 0 }, size, [{ x: 100, y: -40, width: 240, height: 500 }])).toEqual({ x: 0, y: -184 })
  const tower = [0, 1, 2, 3].map((row) => ({ x: 0, y: row * 150, ...size }))
  expect(freePlace({ x: 10, y: 310 }, size, tower).y).toBe(594)
})

test('a wire goes straight where nothing is in between, and around what is', () => {
  const [from, to] = [
    { x: 0, y: 0 },
    { x: 1000, y: 0 },
  ]
  expect(wayOf(from, to, [{ x: 400, y: 100, ...size }]).middle).toEqual({ x: 500, y: 0 })
  const high = wayOf(from, to, [{ x: 400, y: -60, ...size }])
  expect(Math.abs(high.middle.y)).toBeGreaterThan(60)
  // The wire is drawn around the side of the node where the way is shorter.
  expect(wayOf(from, to, [{ x: 400, y: -20, ...size }]).middle.y).toBeLessThan(-20)
  expect(wayOf(from, to, [{ x: 400, y: -100, ...size }]).middle.y).toBeGreaterThan(20)
})
