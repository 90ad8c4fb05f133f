// Facts about the positions of new nodes, and about the paths of wires.
import { expect, test } from 'vitest'
import { duplicateMove, freePlace, pasteMove } from './places.ts'
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

const view = { x: 0, y: 0, width: 1000, height: 600 }
const original = { x: 100, y: 100, ...size }
const at = (x: number, y: number) => ({ x, y })

test('a copy goes to the pointer, else a step beside its original if that is in sight, else to the middle of the view', () => {
  const pair = [original, { x: 400, y: 300, ...size }]
  expect(pasteMove(pair, { pointer: at(700, 50), view }, pair)).toEqual(at(600, -50))
  expect(pasteMove([original], { pointer: null, view }, [original])).toEqual(at(40, 40))
  const far = { x: 5000, y: -3000, ...size }
  expect(pasteMove([far], { pointer: null, view }, [far])).toEqual(at(500 - 120 - 5000, 300 - 60 + 3000))
  expect(pasteMove([], { pointer: at(1, 1), view }, pair)).toEqual(at(0, 0))
})

test('no copy lies exactly on what is there, nor so near that it hides it', () => {
  const sight = { pointer: at(700, 50), view }
  expect(pasteMove([original], sight, [at(700, 50)])).toEqual(at(640, -10))
  expect(pasteMove([original], sight, [at(705, 45), at(740, 90)])).toEqual(at(680, 30))
  expect(duplicateMove([original], [original])).toEqual(at(40, 40))
  expect(duplicateMove([original], [original, at(140, 140), at(180, 180)])).toEqual(at(120, 120))
  // The second of the two copied boxes would lie on another one.
  expect(
    duplicateMove(
      [original, at(300, 0)].map((one) => ({ ...size, ...one })),
      [at(340, 40)],
    ),
  ).toEqual(at(80, 80))
})
