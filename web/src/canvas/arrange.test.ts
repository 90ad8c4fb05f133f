// Facts about arranging a graph, and about finding the next node in a direction.
import type { Definition, GraphEdge } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { arranged, neighbour, withPlaces } from './arrange.ts'

const graph = (ids: string[], ways: [string, string][]): Definition =>
  readDefinition({
    nodes: Object.fromEntries(ids.map((id) => [id, { type: 'x', version: 1 }])),
    edges: ways.map(([from, to]): GraphEdge => ({ from: { node: from, port: 'o' }, to: { node: to, port: 'i' } })),
  })
const size = () => ({ width: 240, height: 100 })

test('what needs others stands to the right of all of them, and nothing lies on anything', () => {
  const ways: [string, string][] = [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'c'],
    ['a', 'd'],
  ]
  const places = arranged(graph(['c', 'a', 'd', 'b'], ways), size)
  for (const [from, to] of ways) expect(places[from]?.x).toBeLessThan(places[to]?.x ?? 0)
  const all = Object.values(places)
  for (const one of all)
    for (const other of all)
      if (one !== other) expect(Math.abs(one.x - other.x) >= 240 || Math.abs(one.y - other.y) >= 100).toBe(true)
})

test('two rows that lead straight ahead do not cross', () => {
  const places = arranged(
    graph(
      ['a', 'b', 'x', 'y'],
      [
        ['a', 'y'],
        ['b', 'x'],
      ],
    ),
    size,
  )
  const above = (one: string, other: string) => (places[one]?.y ?? 0) < (places[other]?.y ?? 0)
  expect(above('a', 'b')).toBe(above('y', 'x'))
})

test('nodes on a cycle have a place too', () => {
  expect(
    Object.keys(
      arranged(
        graph(
          ['a', 'b'],
          [
            ['a', 'b'],
            ['b', 'a'],
          ],
        ),
        size,
      ),
    ).toSorted(),
  ).toEqual(['a', 'b'])
})

test('who has a place keeps it, and the others stand below', () => {
  const places = withPlaces(graph(['a', 'b'], []), { a: { x: 10, y: 500 } }, size)
  expect(places.a).toEqual({ x: 10, y: 500 })
  expect(places.b?.y).toBeGreaterThan(600)
})

test('an arrow leads to the nearest node that way, and stays where there is none', () => {
  const positions = { a: { x: 0, y: 0 }, b: { x: 300, y: 20 }, c: { x: 300, y: 400 }, d: { x: 0, y: 300 } }
  expect(neighbour(positions, 'a', 'right')).toBe('b')
  expect(neighbour(positions, 'a', 'down')).toBe('d')
  expect(neighbour(positions, 'b', 'down')).toBe('c')
  expect(neighbour(positions, 'a', 'left')).toBeNull()
})
