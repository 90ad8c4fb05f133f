// Facts about the order of nodes, dependencies and cycles: for example, each node comes after the nodes that it needs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../server/test/support/processor-time.ts'
import type { Definition } from './definition.ts'
import { downstreamOf, findCycles, neededFor, topologicalOrder } from './graph-order.ts'
import { readDefinition } from './graph-rules.ts'

/** Makes a definition with nodes in the given order, and with edges written as `a>b`. */
const graph = (ids: string, ...edges: string[]): Definition =>
  readDefinition({
    nodes: Object.fromEntries(ids.split(' ').map((id) => [id, { type: 'join', version: 1 }])),
    edges: edges.map((edge) => {
      const [from = '', to = ''] = edge.split('>')
      return { from: { node: from, port: 'text' }, to: { node: to, port: 'all' } }
    }),
  })

describe('the order', () => {
  test.each([
    ['c b a', [], 'c b a'],
    ['c b a', ['a>b', 'b>c'], 'a b c'],
    ['d a b c', ['a>d', 'b>d', 'c>b'], 'a c b d'],
    ['a b', ['a>b', 'a>b'], 'a b'],
    ['a b', ['a>x', 'x>b'], 'a b'],
    ['a b c d', ['b>c', 'c>b', 'c>d'], 'a'],
  ])('%s with %j is %s', (ids, edges, order) => {
    expect(topologicalOrder(graph(ids, ...edges))).toEqual(order.split(' '))
  })

  test('a chain of two thousand nodes has one', () => {
    const ids = Array.from({ length: 2000 }, (_, index) => `n${1999 - index}`)
    const edges = Array.from({ length: 1999 }, (_, index) => `n${index}>n${index + 1}`)
    expect(topologicalOrder(graph(ids.join(' '), ...edges))).toEqual(ids.toReversed())
    expect(findCycles(graph(ids.join(' '), ...edges, 'n1999>n0'))[0]).toHaveLength(2001)
  })
})

const diamond = graph('a b c d e', 'a>b', 'a>c', 'b>d', 'c>d')

test('what targets need is they and all before them; no targets need everything', () => {
  expect([...neededFor(diamond, ['b'])].toSorted()).toEqual(['a', 'b'])
  expect([...neededFor(diamond, ['d', 'e', 'nope'])].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect([...neededFor(diamond, [])]).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('downstream of a node is all that needs it', () => {
  expect([...downstreamOf(diamond, ['a'])].toSorted()).toEqual(['b', 'c', 'd'])
  expect([...downstreamOf(diamond, ['d'])]).toEqual([])
  expect([...downstreamOf(diamond, ['nope'])]).toEqual([])
})

test('thousands of cycles are found in no time', () => {
  const pairs = Array.from({ length: 10_000 }, (_, index) => [`a${index}`, `b${index}`] as const)
  const definition = graph(pairs.flat().join(' '), ...pairs.flatMap(([a, b]) => [`${a}>${b}`, `${b}>${a}`]))
  const began = processorMs()
  expect(findCycles(definition)).toHaveLength(10_000)
  expect(processorMs() - began).toBeLessThan(1000)
})

test('the order holds for any graph, and leaves out exactly what circles hold up', () => {
  const edge = fc.tuple(fc.nat(9), fc.nat(9))
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), (pairs) => {
      const definition = graph('n0 n1 n2 n3 n4 n5 n6 n7 n8 n9', ...pairs.map(([from, to]) => `n${from}>n${to}`))
      const order = topologicalOrder(definition)
      const cycles = findCycles(definition)
      for (const { from, to } of definition.edges) {
        if (order.includes(to.node)) expect(order.indexOf(from.node)).toBeLessThan(order.indexOf(to.node))
      }
      const loops = definition.edges.filter(({ from, to }) => from.node === to.node).map(({ from }) => from.node)
      const held = new Set([...cycles.flat(), ...loops])
      for (const id of [...held]) for (const next of downstreamOf(definition, [id])) held.add(next)
      expect([...held].toSorted()).toEqual(Object.keys(definition.nodes).filter((id) => !order.includes(id)))
      for (const path of cycles) {
        expect(path[0]).toBe(path.at(-1))
        const steps = path.slice(1).map((to, index) => [path[index], to])
        for (const [from, to] of steps) {
          expect(definition.edges.some((edge) => edge.from.node === from && edge.to.node === to)).toBe(true)
        }
      }
    }),
    { seed: Number(process.env.FAST_CHECK_SEED ?? 7), numRuns: 500 },
  )
})
