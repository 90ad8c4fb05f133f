// Facts about which nodes and items of a run have to be scheduled again, and which stored units have to be read for that.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import type { NodeSummary } from './node-summary.ts'
import { stalenessOf } from './staleness.ts'

const node = { type: 'text.template', version: 1, params: {} }
const edge = (from: string, to: string, port = 'x') => ({ from: { node: from, port: 'text' }, to: { node: to, port } })

/**
 * A chain: `rows`, then `first` and `second`, which run once per element, then `whole`, which takes the whole list. `second`
 * also takes the whole output of `rows`. `beside` has no edges.
 */
const definition = readDefinition({
  schema: 1,
  nodes: {
    rows: node,
    first: { ...node, each: ['x'] },
    second: { ...node, each: ['x'] },
    whole: node,
    beside: node,
  },
  edges: [edge('rows', 'first'), edge('first', 'second'), edge('second', 'whole'), edge('rows', 'second', 'style')],
})
const done: NodeSummary = { status: 'succeeded', itemCount: null, stale: false, items: 0, open: [] }
const list: NodeSummary = { ...done, itemCount: 3, items: 3 }
const upToDate = { rows: done, first: list, second: list, whole: done, beside: done }
const item = { item: 'abc.0', position: 1 }

function look(changed: Record<string, NodeSummary | undefined>, without: string[] = []) {
  const scope = new Set(Object.keys(definition.nodes).filter((id) => !without.includes(id)))
  const summaries = Object.entries({ ...upToDate, ...changed }).flatMap(([id, summary]) =>
    summary ? [[id, summary] as const] : [],
  )
  const { upToDate: left, partial, needs } = stalenessOf(definition, scope, new Map(summaries))
  return {
    opened: [...scope].filter((id) => !left.has(id) && !partial.has(id)),
    partial: Object.fromEntries(partial),
    whole: [...needs.whole].toSorted(),
    items: Object.fromEntries([...(needs.positions ?? [])].map(([id, positions]) => [id, [...positions]])),
  }
}

test('where everything holds, nothing is opened and nothing is read', () => {
  expect(look({})).toEqual({ opened: [], partial: {}, whole: [], items: {} })
})

test.each([
  ['has no result', { ...done, status: 'cancelled' } satisfies NodeSummary],
  ['is stale', { ...done, stale: true }],
  ['is not there', undefined],
])('a node that %s is opened, and all that needs it', (_, rows) => {
  expect(look({ rows }).opened).toEqual(['rows', 'first', 'second', 'whole'])
})

test('an item that nothing hangs on is all there is to open, and its element all there is to read', () => {
  const { opened, partial, whole, items } = look({ second: { ...list, open: [item] } }, ['whole'])
  expect({ opened, partial }).toEqual({ opened: [], partial: { second: [item] } })
  expect(items).toEqual({ second: [1], first: [1] })
  expect(whole).toEqual(['rows']) // each call of `second` takes the whole output of `rows`
})

test('an item that others hang on is opened alone; they are opened and read whole', () => {
  const { opened, partial, whole } = look({ first: { ...list, open: [item] } })
  expect({ opened, partial }).toEqual({ opened: ['second', 'whole'], partial: { first: [item] } })
  expect(whole).toEqual(['first', 'rows', 'second', 'whole'])
})

test('a node that misses an item has other elements, as far as anybody knows', () => {
  expect(look({ first: { ...list, items: 2 } })).toMatchObject({ partial: {}, opened: ['first', 'second', 'whole'] })
})
