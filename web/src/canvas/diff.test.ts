// Facts about the differences between two definitions.
import { expect, test } from 'vitest'
import { differences, isSame, sameValue } from './diff.ts'

const edge = (from: string, to: string) => ({ from: { node: from, port: 'text' }, to: { node: to, port: 'in' } })
const before = {
  schema: 1,
  nodes: { a: { type: 'input.text', params: { value: 'x' } }, b: { type: 'text.split' }, c: { type: 'gate.edit' } },
  edges: [edge('a', 'b')],
}

test('nodes and edges that came, went and changed are told, each param by itself', () => {
  const after = {
    schema: 1,
    nodes: {
      a: { type: 'input.text', params: { value: 'y', more: 1 } },
      c: { type: 'gate.edit' },
      d: { type: 'flow.if' },
    },
    edges: [edge('a', 'c')],
  }
  expect(differences(before, after)).toEqual({
    nodes: [
      { id: 'a', kind: 'changed', details: ['value: "x" → "y"', 'more: nothing → 1'] },
      { id: 'b', kind: 'removed', details: ['text.split'] },
      { id: 'd', kind: 'added', details: ['flow.if'] },
    ],
    edges: [
      { name: '["a","text","c","in"]', kind: 'added', words: 'a.text → c.in' },
      { name: '["a","text","b","in"]', kind: 'removed', words: 'a.text → b.in' },
    ],
  })
})

test('the order of members is no difference', () => {
  expect(isSame(differences(before, { edges: before.edges, nodes: { ...before.nodes }, schema: 1 }))).toBe(true)
  expect(sameValue({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true)
  expect(sameValue([1, 2], [2, 1])).toBe(false)
})

test('what cannot be read as a node differs as a whole', () => {
  expect(differences({ nodes: { a: 1 } }, { nodes: { a: 'text' } }).nodes).toEqual([
    { id: 'a', kind: 'changed', details: ['1 → "text"'] },
  ])
})
