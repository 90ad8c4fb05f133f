// Facts about runs for one variant of their task.
import { expect, test } from 'vitest'
import { forVariant, variantIn, withoutVariant } from './variant.ts'

const card = { type: 'task.fields', params: {} }
const graph = { nodes: { card, words: { type: 'text.template', params: { template: 'a' } } }, edges: [] }

test('the variant stands in the nodes that read the task, and nowhere else', () => {
  const one = forVariant(graph, 3)
  expect(one.nodes).toEqual({ ...graph.nodes, card: { type: 'task.fields', params: { variant: 3 } } })
  expect(variantIn(one)).toBe(3)
  expect(variantIn(graph)).toBe(null)
})

const reading = (variant: number) => ({ ...card, params: { variant } })

test('taken out again, the definition is what it was, also where its nodes read different variants', () => {
  const different = {
    nodes: { a: reading(1), b: reading(2), c: card, d: { type: card.type }, e: reading(0) },
    edges: [],
  }
  for (const before of [graph, different]) expect(withoutVariant(forVariant(before, 3), 3, before)).toEqual(before)
})

test('taken out again, what people have changed meanwhile stays', () => {
  const { nodes } = forVariant({ nodes: { a: reading(1), b: reading(1) }, edges: [] }, 3)
  const more = { nodes: Object.assign({}, nodes, { b: reading(2), c: reading(3) }), edges: [] }
  expect(withoutVariant(more, 3, { nodes: { a: reading(1), b: reading(1) }, edges: [] })).toEqual({
    nodes: { a: reading(1), b: reading(2), c: reading(3) },
    edges: [],
  })
})

test('a graph that reads different variants is for none of them', () => {
  const two = { nodes: { a: { ...card, params: { variant: 1 } }, b: { ...card, params: { variant: 2 } } }, edges: [] }
  expect(variantIn(two)).toBe(null)
  expect(variantIn({ nodes: { a: { ...card, params: { variant: 1 } }, b: card }, edges: [] })).toBe(null)
})
