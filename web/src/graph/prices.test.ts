// Facts about the price that is shown for a graph before the graph has run.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { pricesOf } from './prices.ts'

const type = (type: string, least: number, most: number | null): [string, NodeType] => [
  type,
  {
    ...{ type, version: 1, title: type, summary: '', help: '', group: 'generate', params: {}, inputs: {}, outputs: {} },
    ...{ open_inputs: false, credits: { least, most, note: '' }, cacheable: true, pure: true, retry_safe: true },
    ...{ gate: false, available: true, unavailable_reason: null, replaced_by: null, earlier: [] },
  },
]
const types = new Map([type('free', 0, 0), type('fixed', 2, 2), type('open', 1, null)])
const costs = (...nodes: [type: string, each?: string[]][]) =>
  pricesOf(
    readDefinition({
      nodes: Object.fromEntries(nodes.map(([type, each = []], at) => [`n${at}`, { type, version: 1, each }])),
      edges: [],
    }),
    types,
  )

test('what pays nothing is free, and what is fixed is added up', () => {
  expect(costs(['free'], ['unknown'])).toBe('Costs: free.')
  expect(costs(['fixed'], ['fixed'], ['free'])).toBe('Costs: at most 4 credits; what is in the cache costs nothing.')
})

test('what depends on a list, or on what a model makes, is not made up', () => {
  expect(costs(['fixed', ['prompt']])).toBe(
    'Costs: one node pays for each element of a list. What is in the cache costs nothing.',
  )
  expect(costs(['open'], ['fixed', ['prompt']])).toBe(
    'Costs: 1 credit or more, one node pays for each element of a list. What is in the cache costs nothing.',
  )
})
