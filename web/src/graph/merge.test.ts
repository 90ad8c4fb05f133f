// Facts about merging two versions of a graph that were both made from the same earlier version.
import { expect, test } from 'vitest'
import type { Raw } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { type Choices, type Merge, merged, mergeOf, type Side } from './merge.ts'

const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
const wire = (from: string, to: string) => ({ from: { node: from, port: 'text' }, to: { node: to, port: 'in' } })
const graph = (nodes: Raw, edges: unknown[] = []): Raw => ({ schema: 1, nodes, edges })
const doc = (definition: Raw): Doc => ({ definition, positions: {}, annotations: {} })
const before = graph({ a: text('a'), b: text('b'), c: text('c') }, [wire('a', 'b')])
const choose = (id: string, side: Side): Choices => new Map([[id, side]])
const both = (mine: Raw, theirs: Raw, choices: Choices = new Map()): Raw =>
  merged({ before: doc(before), mine: doc(mine), theirs: doc(theirs) }, choices).definition
const looked = (mine: Raw, theirs: Raw): Merge => mergeOf({ before: doc(before), mine: doc(mine), theirs: doc(theirs) })

test('what only one of them changed, added or removed is taken over', () => {
  const mine = graph({ a: text('mine'), b: text('b'), c: text('c'), d: text('new') }, [wire('a', 'b')])
  const theirs = graph({ a: text('a'), b: text('theirs'), e: text('new') }, [wire('a', 'b')])
  expect(looked(mine, theirs)).toEqual({ clashes: [], alone: { mine: ['a', 'd'], theirs: ['b', 'c', 'e'] } })
  expect(both(mine, theirs)).toEqual(
    graph({ a: text('mine'), b: text('theirs'), d: text('new'), e: text('new') }, [wire('a', 'b')]),
  )
})

test('where both changed a node, the one that is chosen stands, with the wires into it', () => {
  const mine = graph({ a: text('a'), b: text('mine'), c: text('c') }, [wire('c', 'b')])
  const theirs = graph({ a: text('a'), b: text('theirs'), c: text('c') }, [wire('a', 'b')])
  expect(looked(mine, theirs).clashes).toEqual([
    {
      id: 'b',
      name: 'b',
      gone: null,
      rows: [
        { name: 'value', mine: 'mine', theirs: 'theirs' },
        { name: 'wires', mine: 'c.text → in', theirs: 'a.text → in' },
      ],
    },
  ])
  expect(both(mine, theirs, choose('b', 'mine'))).toEqual(mine)
  expect(both(mine, theirs, choose('b', 'theirs'))).toEqual(theirs)
})

test('a node that one removed and the other changed is a choice, and no wire is left without its ends', () => {
  const mine = graph({ a: text('mine'), b: text('b'), c: text('c') }, [wire('a', 'b')])
  const theirs = graph({ b: text('theirs'), c: text('c') })
  const { clashes, alone } = looked(mine, theirs)
  expect(clashes).toEqual([
    { id: 'a', name: 'a', gone: 'theirs', rows: [{ name: 'value', mine: 'mine', theirs: null }] },
  ])
  expect(alone).toEqual({ mine: [], theirs: ['b'] })
  expect(both(mine, theirs, choose('a', 'theirs'))).toEqual(theirs)
  expect(both(mine, theirs, choose('a', 'mine'))).toEqual(
    graph({ a: text('mine'), b: text('theirs'), c: text('c') }, []),
  )
  const led = graph({ a: text('a'), b: text('b'), c: text('c') }, [wire('a', 'b'), wire('a', 'c')])
  expect(both(led, theirs)).toEqual(theirs)
})

test('places, members of other names, and edges that cannot be read are kept of both', () => {
  const at = (x: number) => ({ x, y: 0 })
  const result = merged(
    {
      before: { ...doc({ ...before, note: 'x' }), positions: { a: at(1), b: at(1), c: at(1) } },
      mine: {
        ...doc({ ...before, note: 'x', edges: [...[wire('a', 'b')], 'odd'] }),
        positions: { a: at(2), b: at(1), c: at(2) },
      },
      theirs: { ...doc({ ...before, note: 'y' }), positions: { a: at(1), b: at(3), c: at(3), d: at(4) } },
    },
    new Map(),
  )
  expect(result).toEqual({
    definition: { ...before, note: 'y', edges: [wire('a', 'b'), 'odd'] },
    positions: { a: at(2), b: at(3), c: at(2), d: at(4) },
    annotations: {},
  })
})

test('what comes to theirs is theirs itself, so that nothing is saved again', () => {
  const theirs = doc(graph({ a: text('theirs') }))
  expect(merged({ before: doc(before), mine: doc(before), theirs }, new Map())).toBe(theirs)
})

test('of a note that both wrote in, somebody chooses; that one moved and the other wrote in, both stand', () => {
  const note = (text: string, x = 0) =>
    ({ kind: 'note', colour: 'yellow', text, x, y: 0, width: 240, height: 140 }) as const
  const noted = (annotations: Doc['annotations']): Doc => ({ ...doc(before), annotations })
  const docs = {
    before: noted({ 'note/a': note('a'), 'note/b': note('b'), 'note/c': note('c') }),
    mine: noted({ 'note/a': note('mine', 50), 'note/b': note('b', 90), 'note/c': note('c'), 'note/d': note('new') }),
    theirs: noted({ 'note/a': note('theirs'), 'note/b': note('theirs'), 'note/e': note('new') }),
  }
  const { clashes, alone } = mergeOf(docs)
  expect(clashes).toEqual([
    { id: 'note/a', name: 'Note “mine”', gone: null, rows: [{ name: 'text', mine: 'mine', theirs: 'theirs' }] },
  ])
  expect(alone).toEqual({ mine: ['Note “new”'], theirs: ['Note “b”', 'Note “c”', 'Note “new”'] })
  const rest = { 'note/b': note('theirs', 90), 'note/d': note('new'), 'note/e': note('new') }
  expect(merged(docs, choose('note/a', 'theirs')).annotations).toEqual({ 'note/a': note('theirs', 50), ...rest })
  expect(merged(docs, choose('note/a', 'mine')).annotations).toEqual({ 'note/a': note('mine', 50), ...rest })
})
