// Facts about merging two versions of a graph that were both made from the same earlier version.
import { findCycles } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Raw, rawEdges } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { allOf, type Choices, chosenOf, type Merge, merged, mergeOf, stillHeld } from './merge.ts'
import type { Side } from './merge-parts.ts'

const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
const wire = (from: string, to: string) => ({ from: { node: from, port: 'text' }, to: { node: to, port: 'in' } })
const graph = (nodes: Raw, edges: unknown[] = []): Raw => ({ schema: 1, nodes, edges })
const doc = (definition: Raw): Doc => ({ definition, positions: {}, annotations: {} })
const before = graph({ a: text('a'), b: text('b'), c: text('c') }, [wire('a', 'b')])
const choose = (id: string, side: Side): Choices => new Map([[id, side]])
const both = (mine: Raw, theirs: Raw, choices: Choices = new Map()): Raw =>
  merged({ before: doc(before), mine: doc(mine), theirs: doc(theirs) }, choices).definition
const looked = (mine: Raw, theirs: Raw, choices: Choices = new Map()): Merge =>
  mergeOf({ before: doc(before), mine: doc(mine), theirs: doc(theirs) }, choices)

test('what only one of them changed, added or removed is taken over', () => {
  const mine = graph({ a: text('mine'), b: text('b'), c: text('c'), d: text('new') }, [wire('a', 'b')])
  const theirs = graph({ a: text('a'), b: text('theirs'), e: text('new') }, [wire('a', 'b')])
  expect(looked(mine, theirs)).toEqual({
    ...{ clashes: [], circles: [], alone: { mine: ['a', 'd'], theirs: ['b', 'c', 'e'] } },
  })
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
      wires: [],
    },
  ])
  expect(both(mine, theirs, choose('b', 'mine'))).toEqual(mine)
  expect(both(mine, theirs, choose('b', 'theirs'))).toEqual(theirs)
})

test('a choice holds only between what both said when it was made', () => {
  const mine = graph({ a: text('mine'), b: text('mine'), c: text('c') }, [wire('a', 'b')])
  const docsOf = (theirs: Raw) => ({ before: doc(before), mine: doc(mine), theirs: doc(theirs) })
  const first = graph({ a: text('theirs'), b: text('theirs'), c: text('c') }, [wire('a', 'b')])
  const later = graph({ a: text('theirs'), b: text('later'), c: text('later') }, [wire('a', 'b')])
  const removed = graph({ b: text('theirs'), c: text('c') })
  const chosen = chosenOf(docsOf(first), allOf(docsOf(first), 'theirs'))
  expect([...stillHeld(docsOf(first), chosen).keys()]).toEqual(['a', 'b'])
  expect([...stillHeld(docsOf(later), chosen)]).toEqual([['a', 'theirs']])
  expect([...stillHeld(docsOf(removed), chosen).keys()]).toEqual([])
})

test('a node that one removed and the other changed is a choice, and no wire is left without its ends', () => {
  const mine = graph({ a: text('mine'), b: text('b'), c: text('c') }, [wire('a', 'b')])
  const theirs = graph({ b: text('theirs'), c: text('c') })
  const { clashes, alone } = looked(mine, theirs)
  expect(clashes).toEqual([
    { id: 'a', name: 'a', gone: 'theirs', rows: [{ name: 'value', mine: 'mine', theirs: null }], wires: [] },
  ])
  expect(alone).toEqual({ mine: [], theirs: ['b'] })
  expect(both(mine, theirs, choose('a', 'theirs'))).toEqual(theirs)
  expect(both(mine, theirs, choose('a', 'mine'))).toEqual(
    graph({ a: text('mine'), b: text('theirs'), c: text('c') }, []),
  )
})

test('a node that one removed although a wire of the other begins there is a choice, which names the wire', () => {
  const over = (value: string) => ({ ...text(value), each: ['in'] })
  const mine = graph({ a: text('a'), b: text('b'), c: over('c') }, [wire('a', 'b'), wire('a', 'c')])
  const theirs = graph({ b: text('theirs'), c: text('c') })
  expect(looked(mine, theirs)).toEqual({
    clashes: [{ id: 'a', name: 'a', gone: 'theirs', rows: [], wires: ['a.text → c.in'] }],
    alone: { mine: ['c'], theirs: ['b'] },
    circles: [],
  })
  expect(both(mine, theirs, choose('a', 'mine'))).toEqual(
    graph({ a: text('a'), b: text('theirs'), c: over('c') }, [wire('a', 'c')]),
  )
  // Without its wire, a node does not run over a list any more.
  expect(both(mine, theirs, choose('a', 'theirs'))).toEqual(graph({ b: text('theirs'), c: { ...text('c'), each: [] } }))
  expect(looked(theirs, mine).clashes).toMatchObject([{ id: 'a', gone: 'mine', wires: ['a.text → c.in'] }])
  // Until the user chooses, all wires are kept.
  for (const undecided of [both(mine, theirs), both(theirs, mine)])
    expect(rawEdges(undecided)).toEqual([wire('a', 'c')])
})

test('a choice may ask for another: the source of a wire that is chosen, and the source of that one', () => {
  const chain = graph({ a: text('a'), b: text('b'), c: text('c') }, [wire('a', 'b'), wire('b', 'c')])
  const mine = graph({ a: text('a'), b: text('b'), c: text('mine') }, [wire('a', 'b'), wire('b', 'c')])
  const docs = { before: doc(chain), mine: doc(mine), theirs: doc(graph({ c: text('theirs') })) }
  const idsWith = (choices: Choices) => mergeOf(docs, choices).clashes.map(({ id }) => id)
  expect(idsWith(choose('c', 'theirs'))).toEqual(['c'])
  expect(idsWith(new Map([...choose('c', 'mine'), ...choose('b', 'theirs')]))).toEqual(['b', 'c'])
  expect(allOf(docs, 'mine')).toEqual(new Map(['a', 'b', 'c'].map((id) => [id, 'mine'])))
  expect(merged(docs, allOf(docs, 'mine')).definition.edges).toEqual(mine.edges)
  expect(merged(docs, allOf(docs, 'theirs')).definition).toEqual(docs.theirs.definition)
})

test('a node that is kept although they removed it stays where mine has it', () => {
  const mine = graph({ a: text('a'), b: text('b'), c: text('c') }, [wire('a', 'b'), wire('a', 'c')])
  const places = { a: { x: 7, y: 7 }, b: { x: 8, y: 8 } }
  const docs = {
    before: { ...doc(before), positions: places },
    mine: { ...doc(mine), positions: places },
    theirs: { ...doc(graph({ b: text('b'), c: text('c') })), positions: { b: places.b } },
  }
  expect(merged(docs, choose('a', 'mine')).positions).toEqual({ b: places.b, a: places.a })
  expect(merged(docs, choose('a', 'theirs')).positions).toEqual({ b: places.b })
})

describe('a circle that only both make together', () => {
  const nodes = { a: text('a'), b: text('b'), c: text('c') }
  const led = (...edges: [string, string][]) => graph(nodes, [wire('a', 'b'), ...edges.map((ends) => wire(...ends))])
  const circleOf = (mine: Raw, theirs: Raw, left: [string, string][] = []) => {
    const docs = { before: doc(before), mine: doc(mine), theirs: doc(theirs) }
    const leftOut = new Set(left.map((ends) => JSON.stringify(ends)))
    return {
      ...{ circles: mergeOf(docs, new Map(), leftOut).circles },
      ...{ edges: merged(docs, new Map(), leftOut).definition.edges },
    }
  }
  const link = (side: Side, from: string, to: string) => ({
    ...{ name: JSON.stringify([from, to]), side, wires: [`${from}.text → ${to}.in`] },
  })
  const links = [link('theirs', 'c', 'a'), link('mine', 'b', 'c')]

  test('names its nodes and the wires of each side, one of which is left out', () => {
    const [mine, theirs] = [led(['b', 'c']), led(['c', 'a'])]
    const open = circleOf(mine, theirs)
    expect(open.circles).toHaveLength(1)
    const [circle] = open.circles
    expect(new Set(circle?.path)).toEqual(new Set(['a', 'b', 'c']))
    expect(circle?.links).toEqual(expect.arrayContaining(links))
    expect(circle).toMatchObject({ left: null, links: { length: 2 } })
    expect(open.edges).toHaveLength(3)
    const without = circleOf(mine, theirs, [['c', 'a']])
    expect(without.circles).toMatchObject([{ left: JSON.stringify(['c', 'a']) }])
    expect(without.edges).toEqual(mine.edges)
    expect(circleOf(mine, theirs, [['b', 'c']]).edges).toEqual([wire('c', 'a'), wire('a', 'b')])
  })

  test('is not one that a side has by itself, and leaves out nothing where there is none', () => {
    const mine = led(['b', 'c'])
    expect(circleOf(mine, led(['b', 'a'])).circles).toEqual([])
    expect(circleOf(mine, led(['a', 'c']), [['b', 'c']])).toEqual({ circles: [], edges: expect.any(Array) })
    expect(circleOf(mine, led(), [['b', 'c']])).toEqual({ circles: [], edges: mine.edges })
  })

  test('does not remain, and no other wire is left out, whatever both drew', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    // Wires that lead down a random order of the nodes make no circle by themselves.
    const drawn = fc.tuple(
      fc.shuffledSubarray(ids, { minLength: 2 }),
      fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 8 }),
    )
    const versionOf = ([order, ends]: [string[], [number, number][]]): Raw => {
      const wires = ends.flatMap(([from, to]) => {
        const [source, sink] = [order[Math.min(from, to)], order[Math.max(from, to)]]
        return source === undefined || sink === undefined || source === sink ? [] : [[source, sink] as const]
      })
      const edges = [...new Map(wires.map((one) => [JSON.stringify(one), wire(...one)])).values()]
      return graph(Object.fromEntries(order.map((id) => [id, text(id)])), edges)
    }
    fc.assert(
      fc.property(drawn, drawn, drawn, fc.constantFrom<Side>('mine', 'theirs'), (one, other, third, side) => {
        const docs = { before: doc(versionOf(one)), mine: doc(versionOf(other)), theirs: doc(versionOf(third)) }
        const choices = allOf(docs, side)
        let leftOut = new Set<string>()
        for (;;) {
          const open = mergeOf(docs, choices, leftOut).circles.find(({ left }) => left === null)
          if (!open) break
          leftOut = new Set([...leftOut, open.links.find((link) => link.side !== side)?.name ?? ''])
        }
        const { definition } = merged(docs, choices, leftOut)
        expect(findCycles(readDefinition(definition))).toEqual([])
        const whole = merged(docs, choices).definition
        expect(rawEdges(whole).length - rawEdges(definition).length).toBe(leftOut.size)
        expect(rawEdges(whole)).toEqual(expect.arrayContaining([...rawEdges(definition)]))
        const { nodes, edges } = readDefinition(whole)
        expect(edges.filter(({ from, to }) => !nodes[from.node] || !nodes[to.node])).toEqual([])
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('is followed by another, if nodes are in several', () => {
    const [mine, theirs] = [led(['b', 'c']), led(['c', 'a'], ['c', 'b'])]
    const { circles, edges } = circleOf(mine, theirs, [
      ['c', 'a'],
      ['c', 'b'],
    ])
    expect(circles.map(({ left }) => left).toSorted()).toEqual(['["c","a"]', '["c","b"]'])
    expect(edges).toEqual(mine.edges)
    expect(circleOf(mine, theirs, [['c', 'a']]).circles.filter(({ left }) => left === null)).toHaveLength(1)
  })
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

test('a node that one put in the place of one which the other changed lies beside the kept one, not on it', () => {
  const at = (x: number, y = x) => ({ x, y })
  const placed = (definition: Raw, positions: Doc['positions']): Doc => ({ ...doc(definition), positions })
  const docs = {
    before: placed(before, { a: at(0), b: at(100), c: at(100) }),
    mine: placed(graph({ a: text('mine'), b: text('b'), c: text('c') }, [wire('a', 'b')]), {
      ...{ a: at(0), b: at(100), c: at(100) },
    }),
    theirs: placed(
      graph({ writer: { ...text('a'), type: 'text.join' }, b: text('b'), c: text('c') }, [wire('writer', 'b')]),
      {
        ...{ writer: at(0), b: at(100), c: at(100) },
      },
    ),
  }
  const { positions } = merged(docs, choose('a', 'mine'))
  expect([positions.a, positions.writer].toSorted((one, other) => (one?.x ?? 0) - (other?.x ?? 0))).toEqual([
    at(0),
    at(40),
  ])
  // Those that a side itself has put on each other stay so.
  expect([positions.b, positions.c]).toEqual([at(100), at(100)])
  expect(merged(docs, choose('a', 'theirs')).positions).toEqual({ writer: at(0), b: at(100), c: at(100) })
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
  const { clashes, alone } = mergeOf(docs, new Map())
  expect(clashes).toEqual([
    {
      id: 'note/a',
      name: 'Note “mine”',
      gone: null,
      rows: [{ name: 'text', mine: 'mine', theirs: 'theirs' }],
      wires: [],
    },
  ])
  expect(alone).toEqual({ mine: ['Note “new”'], theirs: ['Note “b”', 'Note “c”', 'Note “new”'] })
  const rest = { 'note/b': note('theirs', 90), 'note/d': note('new'), 'note/e': note('new') }
  expect(merged(docs, choose('note/a', 'theirs')).annotations).toEqual({ 'note/a': note('theirs', 50), ...rest })
  expect(merged(docs, choose('note/a', 'mine')).annotations).toEqual({ 'note/a': note('mine', 50), ...rest })
})
