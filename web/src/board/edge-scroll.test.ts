// Facts about the scrolling of the board at its edges during a drag.
import { expect, test } from 'vitest'
import { edgeSpeed, edgeStep, trailFrom, trailOn } from './edge-scroll.ts'

const board = { left: 0, right: 1440 }
const moved = (from: number, ...to: number[]) => to.reduce(trailOn, trailFrom(from))

test('nowhere but in the strip at an edge does the board move, however wide the screen', () => {
  for (const width of [390, 1100, 1440, 3840]) {
    const edges = { left: 0, right: width }
    for (let x = 72; x <= width - 72; x += 1) expect(edgeSpeed(moved(width / 2, 0, width, x), edges)).toBe(0)
  }
})

test('the nearer the edge, the faster, and no faster beyond it', () => {
  const speeds = [1370, 1400, 1430, 1440, 1500].map((x) => edgeSpeed(moved(700, x), board))
  expect(speeds).toEqual(speeds.toSorted((a, b) => a - b))
  expect(speeds[0]).toBeGreaterThan(0)
  expect(speeds[0]).toBeLessThan(0.01)
  expect(speeds.slice(3)).toEqual([1, 1])
  expect(edgeSpeed(moved(700, -20), board)).toBe(-1)
})

test('a card that is picked up at an edge does not start the board, until it is carried towards it', () => {
  expect(edgeSpeed(moved(30), board)).toBe(0)
  expect(edgeSpeed(moved(30, 42), board)).toBe(0)
  expect(edgeSpeed(moved(30, 20), board)).toBe(0)
  expect(edgeSpeed(moved(30, 10), board)).toBeLessThan(0)
  expect(edgeSpeed(moved(30, 300, 30), board)).toBeLessThan(0)
  expect(edgeSpeed(moved(1420, 1425), board)).toBe(0)
})

test('a board that lies beside an open task has its edges where it ends', () => {
  expect(edgeSpeed(moved(100, 700), { left: 0, right: 720 })).toBeGreaterThan(0)
  expect(edgeSpeed(moved(100, 600), { left: 0, right: 720 })).toBe(0)
})

test('after a long frame the board goes on, and does not jump', () => {
  expect(edgeStep(1, 16)).toBe(16)
  expect(edgeStep(-1, 2_000)).toBe(-50)
  expect(edgeStep(1, -3)).toBe(0)
})
