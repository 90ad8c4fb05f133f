// Facts about runs for one variant of their task.
import { expect, test } from 'vitest'
import { forVariant, variantIn } from './variant.ts'

const card = { type: 'task.fields', params: {} }
const graph = { nodes: { card, words: { type: 'text.template', params: { template: 'a' } } }, edges: [] }

test('the variant stands in the nodes that read the task, and nowhere else', () => {
  const one = forVariant(graph, 3)
  expect(one.nodes).toEqual({ ...graph.nodes, card: { type: 'task.fields', params: { variant: 3 } } })
  expect(variantIn(one)).toBe(3)
  expect(variantIn(graph)).toBe(null)
})

test('taken out again, the definition is what it was', () => {
  expect(forVariant(forVariant(graph, 3), null)).toEqual(graph)
  expect(forVariant(graph, null)).toBe(graph)
})

test('a graph that reads different variants is for none of them', () => {
  const two = { nodes: { a: { ...card, params: { variant: 1 } }, b: { ...card, params: { variant: 2 } } }, edges: [] }
  expect(variantIn(two)).toBe(null)
  expect(variantIn({ nodes: { a: { ...card, params: { variant: 1 } }, b: card }, edges: [] })).toBe(null)
})
