// Facts about what is spoken of a change to a graph.
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { expect, test } from 'vitest'
import { docOf } from '../canvas/layout.ts'
import { changeSpoken } from './change-spoken.ts'
import { begin, type Edit, edit } from './edit.ts'

const text = { type: 'input.text', version: 1, params: { value: 'x' } }
const wire = { from: { node: 'a', port: 'text' }, to: { node: 'b', port: 'x' } }
const nodes = { a: text, b: { type: 'text.template', version: 1, params: { template: '{{ x }}' } } }
const note = { kind: 'note', x: 0, y: 0, width: 200, height: 100, colour: 'grey', text: '# Look here' }
const state = begin(
  docOf({ definition: { schema: 1, nodes, edges: [wire] }, ui_state: { annotations: { 'note/1': note } } }),
)
const clipOf = (...ids: string[]) => ({
  nodes: Object.fromEntries(ids.map((id) => [id, text])),
  edges: [],
  positions: {},
  annotations: {},
})

/** What is spoken of the last of these changes. */
function spokenOf(...changes: Edit[]): string {
  const states = [state]
  for (const change of changes) states.push(edit(states.at(-1) ?? state, change))
  const [before = state, after = state] = states.slice(-2)
  return changeSpoken(before.doc, after.doc)
}

test('nodes and notes that come or go are named, and the edges of a removed node are not', () => {
  expect(spokenOf({ type: 'add', clip: clipOf('c') })).toBe('Added “c”.')
  expect(spokenOf({ type: 'remove', ids: ['a', 'note/1'], edges: [] })).toBe('Removed “a”, Note “Look here”.')
})

test('an edge that comes or goes is named by both its ends', () => {
  const remove: Edit = { type: 'remove', ids: [], edges: [edgeName(wire)] }
  expect(spokenOf(remove)).toBe('Removed the edge from “text” of “a” to “x” of “b”.')
  expect(spokenOf(remove, { type: 'connect', edge: wire })).toBe('Connected “text” of “a” to “x” of “b”.')
})

test('what an undo brings back is spoken as added', () => {
  expect(spokenOf({ type: 'remove', ids: ['a'], edges: [] }, { type: 'undo' })).toBe(
    'Added “a”. Connected “text” of “a” to “x” of “b”.',
  )
})

test('a node with a new name is not one that went and one that came', () => {
  expect(spokenOf({ type: 'rename', id: 'a', to: 'c' })).toBe('Renamed “a” to “c”.')
})

test('of many, three are named and the others counted', () => {
  expect(spokenOf({ type: 'add', clip: clipOf('c', 'd', 'e', 'f', 'g') })).toBe('Added “c”, “d”, “e” and 2 more.')
})

test('of values and places nothing is spoken', () => {
  expect(spokenOf({ type: 'value', id: 'a', member: 'params', name: 'value', value: 'y' })).toBe('')
  expect(spokenOf({ type: 'move', positions: { a: { x: 1, y: 2 } } })).toBe('')
})
