// Facts about the small drawing of a graph.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { sketchOf } from './sketch.ts'

test('nodes stand where the layout has them, others below; wires without an end are left out', () => {
  const node = { type: 'gone', version: 1 }
  const wire = (from: string, to: string) => ({ from: { node: from, port: 'a' }, to: { node: to, port: 'b' } })
  const definition = readDefinition({
    nodes: { a: node, b: node, lost: node },
    edges: [wire('a', 'b'), wire('a', 'x')],
  })
  const frame = { kind: 'frame', colour: 'pink', title: 'A', x: -100, y: -50, width: 400, height: 300 }
  const nodes = { a: { x: 0, y: 0 }, b: { x: 400, y: 0 } }
  const { viewBox, ...drawn } = sketchOf(definition, { nodes, annotations: { 'frame/1': frame } }, new Map())
  expect(drawn.nodes.map(({ id, group, box }) => [id, group, box.x])).toEqual([
    ['a', 'other', 0],
    ['b', 'other', 400],
    ['lost', 'other', 0],
  ])
  expect(drawn.wires.map(({ path }) => path)).toEqual(['M240 48C320 48 320 48 400 48'])
  expect(drawn.frames).toEqual([{ id: 'frame/1', colour: 'pink', box: { x: -100, y: -50, width: 400, height: 300 } }])
  expect(viewBox).toMatch(/^-140 -90 /)
  expect(sketchOf(readDefinition({}), {}, new Map()).viewBox).toBe('0 0 1 1')
})
