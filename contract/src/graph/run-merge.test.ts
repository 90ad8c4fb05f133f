// Facts about merging changes into a client's copy of a run: the result is the current run, and unchanged objects are kept.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeStatuses } from '../enums.ts'
import { runExamples } from '../examples/run-examples.ts'
import type { GraphRun, NodeRunState } from '../graphs.ts'
import type { RunChanges } from '../runs.ts'
import { mergeRun, outputLists } from './run-merge.ts'

const { definition, ui_state, answers, nodes: exampleNodes, ...members } = runExamples.run
const { items: _, started_at: __, ...blank } = exampleNodes.prompt
type Item = NodeRunState['items'][string]

const item: fc.Arbitrary<Item> = fc
  .record({
    ...Object.fromEntries(Object.entries(blank).map(([name, value]) => [name, fc.constant(value)])),
    status: fc.constantFrom(...nodeStatuses),
    outputs: fc.dictionary(fc.constantFrom('text', 'image'), fc.nat(9), { maxKeys: 2 }),
  })
  .map((members) => ({ ...blank, ...members }))
const once = item.map((state): NodeRunState => ({ ...state, items: {} }))
const each = fc.tuple(item, fc.array(item, { minLength: 1, maxLength: 6 })).map(([state, list]): NodeRunState => {
  const items = Object.fromEntries(list.entries())
  return { ...state, items, outputs: outputLists(items) }
})
const nodes = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(once, each))
const runOf = (some: GraphRun['nodes']): GraphRun => ({ ...members, definition, ui_state, answers, nodes: some })

/** The changes that the server sends for a run between the states `before` and `after`, if no node or item was removed. */
function changesBetween(before: GraphRun['nodes'], after: GraphRun['nodes']): RunChanges['nodes'] {
  const told = Object.entries(after).filter(([id, node]) => JSON.stringify(before[id]) !== JSON.stringify(node))
  return Object.fromEntries(
    told.map(([id, { items, outputs, ...node }]) => {
      const count = Object.keys(items).length
      if (count === 0) return [id, { ...node, items, outputs, item_count: null }]
      const changed = Object.entries(items).filter(
        ([index, one]) => JSON.stringify(before[id]?.items[index]) !== JSON.stringify(one),
      )
      return [id, { ...node, outputs: {}, items: Object.fromEntries(changed), item_count: count }]
    }),
  )
}

describe('a run that is held, and what changed of it', () => {
  test('come to the run as it is', () => {
    const noneGone = (before: GraphRun['nodes'], after: GraphRun['nodes']) =>
      Object.entries(before).every(([id, { items }]) => {
        const [was, is] = [Object.keys(items).length, Object.keys(after[id]?.items ?? {}).length]
        return after[id] !== undefined && (is === 0 || is >= was)
      })
    const property = fc.property(nodes, nodes, (before, after) => {
      fc.pre(noneGone(before, after))
      const changes = { since: '1.2', whole: false, run: members, nodes: changesBetween(before, after) }
      expect(mergeRun(runOf(before), changes)).toEqual(runOf(after))
    })
    fc.assert(property, { numRuns: 500, seed: 20_261_122 })
  })

  test('leave every node and item of which nothing changed the same object', () => {
    const items = Object.fromEntries(
      [0, 1, 2].map((index) => [index, { ...blank, outputs: { text: `made ${index}` } }]),
    )
    const held = runOf({ prompt: exampleNodes.prompt, copy: { ...blank, items, outputs: outputLists(items) } })
    const changed = { ...blank, outputs: { text: 'made anew' } }
    const copy = { ...blank, outputs: {}, items: { 1: changed }, item_count: 3 }
    const merged = mergeRun(held, { since: '1.2', whole: false, run: members, nodes: { copy } })
    expect(merged.nodes.prompt).toBe(held.nodes.prompt)
    expect(merged.definition).toBe(held.definition)
    expect(merged.answers).toBe(held.answers)
    for (const index of [0, 2]) expect(merged.nodes.copy?.items[index]).toBe(items[index])
    expect(merged.nodes.copy?.outputs).toEqual({ text: ['made 0', 'made anew', 'made 2'] })
    const untouched = mergeRun(held, { since: '1.2', whole: false, run: members, nodes: {} })
    expect(untouched.nodes).toBe(held.nodes)
  })

  test('are the new one alone where it is whole', () => {
    const held = runOf({ gone: exampleNodes.prompt })
    const run = { ...members, definition, ui_state, answers: {} }
    const prompt = { ...exampleNodes.prompt, item_count: null }
    const merged = mergeRun(held, { since: '3.9', whole: true, run, nodes: { prompt } })
    expect(merged).toEqual({ ...run, nodes: { prompt: exampleNodes.prompt } })
  })

  test('an item that is one no more leaves with the others, when its node runs once', () => {
    const items = { 0: { ...blank } }
    const held = runOf({ copy: { ...blank, items, outputs: outputLists(items) } })
    const copy = { ...blank, status: 'skipped' as const, outputs: {}, items: {}, item_count: null }
    const merged = mergeRun(held, { since: '1.2', whole: false, run: members, nodes: { copy } })
    expect(merged.nodes.copy?.items).toEqual({})
  })
})
