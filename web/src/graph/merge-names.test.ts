// Facts about merging two versions of a graph in which nodes got other names: a renamed node is the same node.
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Positions, type Raw, rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { begin, type Edit, edit } from './edit.ts'
import { allOf, type Choices, chosenOf, merged, mergeOf, newIds, stillHeld } from './merge.ts'
import { renamesIn } from './merge-names.ts'
import type { Side, Versions } from './merge-parts.ts'

const text = (value: string, type = 'input.text') => ({ type, version: 1, params: { value } })
const wire = (from: string, to: string, port = 'in') => ({
  ...{ from: { node: from, port: 'text' }, to: { node: to, port } },
})
const at = (x: number) => ({ x, y: 0 })
const before: Doc = {
  definition: {
    ...{ schema: 1, nodes: { a: text('a'), b: text('b'), c: text('c') } },
    edges: [wire('a', 'b'), wire('b', 'c')],
  },
  positions: { a: at(0), b: at(100), c: at(200) },
  annotations: {},
}
const changed = (doc: Doc, ...changes: Edit[]): Doc => changes.reduce(edit, begin(doc)).doc
const rename = (id: string, to: string): Edit => ({ type: 'rename', id, to })
const say = (id: string, value: string): Edit => ({ type: 'value', id, member: 'params', name: 'value', value })
const add = (id: string, x: number, value = id): Edit => ({
  ...{ type: 'add', clip: { nodes: { [id]: text(value) }, edges: [], positions: { [id]: at(x) }, annotations: {} } },
})
const remove = (...ids: string[]): Edit => ({ type: 'remove', ids, edges: [] })
const versions = (mine: Edit[], theirs: Edit[]): Versions<Doc> => ({
  ...{ before, mine: changed(before, ...mine), theirs: changed(before, ...theirs) },
})
const nothing: Choices = new Map()
const choose = (id: string, side: Side): Choices => new Map([[id, side]])
const valuesOf = ({ definition }: Doc) =>
  Object.fromEntries(Object.entries(rawNodes(definition)).map(([id, node]) => [id, Object(node).params.value]))

describe('what one renamed and the other changed', () => {
  test('is one node with the new name and the change, its wires and its place', () => {
    for (const docs of [
      versions([rename('b', 'writer')], [say('b', 'changed')]),
      versions([say('b', 'changed')], [rename('b', 'writer')]),
    ]) {
      expect(mergeOf(docs, nothing).clashes).toEqual([])
      expect(merged(docs, nothing)).toEqual({
        definition: {
          ...{ schema: 1, nodes: { a: text('a'), writer: text('changed'), c: text('c') } },
          edges: [wire('a', 'writer'), wire('writer', 'c')],
        },
        positions: { a: at(0), writer: at(100), c: at(200) },
        annotations: {},
      })
    }
  })

  test('is listed as renamed for the one, and by its new name for the other', () => {
    const { alone } = mergeOf(versions([rename('b', 'writer')], [say('b', 'changed')]), nothing)
    expect(alone).toEqual({ mine: ['b → writer'], theirs: ['writer'] })
  })

  test('keeps the wires that both led to and from it', () => {
    const leads = (from: string, to: string, port: string): Edit => ({ type: 'connect', edge: wire(from, to, port) })
    const docs = versions(
      [rename('a', 'source'), leads('source', 'c', 'mine')],
      [add('d', 300), leads('a', 'd', 'theirs'), leads('d', 'b', 'theirs')],
    )
    expect(mergeOf(docs, nothing).clashes).toEqual([])
    expect(new Set(rawEdges(merged(docs, nothing).definition))).toEqual(
      new Set([
        ...[wire('source', 'b'), wire('b', 'c'), wire('source', 'c', 'mine')],
        ...[wire('source', 'd', 'theirs'), wire('d', 'b', 'theirs')],
      ]),
    )
  })

  test('and moved, lies where the other moved it', () => {
    const docs = versions([rename('b', 'writer')], [{ type: 'move', positions: { b: at(500) } }])
    expect(merged(docs, nothing).positions).toEqual({ a: at(0), writer: at(500), c: at(200) })
  })

  test('is the same where both gave it the same name', () => {
    const docs = versions([rename('b', 'writer'), say('writer', 'mine')], [rename('b', 'writer')])
    expect(mergeOf(docs, nothing)).toMatchObject({ clashes: [], alone: { mine: ['writer'], theirs: [] } })
    expect(valuesOf(merged(docs, nothing))).toEqual({ a: 'a', writer: 'mine', c: 'c' })
  })

  test('by both in the same place is a choice of what it says, under both names', () => {
    const docs = versions([say('b', 'mine')], [rename('b', 'writer'), say('writer', 'theirs')])
    expect(mergeOf(docs, nothing).clashes).toEqual([
      {
        ...{ id: 'b', name: 'b → writer', gone: null, wires: [] },
        rows: [{ name: 'value', mine: 'mine', theirs: 'theirs' }],
      },
    ])
    expect(valuesOf(merged(docs, choose('b', 'mine')))).toEqual({ a: 'a', writer: 'mine', c: 'c' })
    expect(merged(docs, choose('b', 'theirs'))).toBe(docs.theirs)
  })
})

test('two names for one node are a choice of the name alone, and other changes of it stand whatever is chosen', () => {
  const docs = versions([rename('b', 'mine'), say('mine', 'changed')], [rename('b', 'theirs')])
  for (const side of ['mine', 'theirs'] as const) {
    const { clashes, alone } = mergeOf(docs, choose('b', side))
    expect(clashes).toEqual([
      {
        ...{ id: 'b', name: 'b', gone: null, wires: [] },
        rows: [{ name: 'name of the node', mine: 'mine', theirs: 'theirs' }],
      },
    ])
    expect(alone).toEqual({ mine: [side], theirs: [] })
    expect(valuesOf(merged(docs, choose('b', side)))).toEqual({ a: 'a', [side]: 'changed', c: 'c' })
    expect(newIds(docs, choose('b', side))).toEqual(new Map(side === 'mine' ? [] : [['mine', 'theirs']]))
  }
})

test('a node that one renamed and the other removed is a choice', () => {
  const docs = versions([rename('c', 'last')], [remove('c')])
  expect(mergeOf(docs, nothing).clashes).toEqual([
    {
      ...{ id: 'c', name: 'c → last', gone: 'theirs', wires: [] },
      rows: [{ name: 'name of the node', mine: 'last', theirs: null }],
    },
  ])
  expect(valuesOf(merged(docs, choose('c', 'mine')))).toEqual({ a: 'a', b: 'b', last: 'c' })
  expect(merged(docs, choose('c', 'theirs'))).toBe(docs.theirs)
})

test('wires and circles are shown with the names that the nodes would have', () => {
  const back: Edit = { type: 'connect', edge: wire('c', 'a', 'back') }
  const base = { ...before, definition: { ...before.definition, edges: [wire('a', 'b')] } }
  const docs = {
    ...{
      before: base,
      mine: changed(base, rename('b', 'writer'), { type: 'connect', edge: wire('writer', 'c') }),
    },
    theirs: changed(base, back),
  }
  const { circles } = mergeOf(docs, nothing)
  expect(circles).toHaveLength(1)
  expect(new Set(circles[0]?.path)).toEqual(new Set(['a', 'writer', 'c']))
  expect(circles[0]?.links.flatMap(({ wires }) => wires).toSorted()).toEqual(['c.text → a.back', 'writer.text → c.in'])
  const apart = { ...before, definition: { ...before.definition, edges: [] } }
  const fed = {
    ...{ before: apart, theirs: changed(apart, remove('b')) },
    mine: changed(apart, rename('a', 'source'), { type: 'connect', edge: wire('b', 'source') }),
  }
  expect(mergeOf(fed, nothing).clashes).toMatchObject([{ id: 'b', gone: 'theirs', wires: ['b.text → source.in'] }])
})

describe('a name that both use', () => {
  test('by one for a node that had another, and by the other for a new one, loses neither', () => {
    const [renames, adds] = [[rename('b', 'writer')], [add('writer', 300, 'new')]]
    const mine = versions(renames, adds)
    expect(valuesOf(merged(mine, nothing))).toEqual({ a: 'a', writer_2: 'b', c: 'c', writer: 'new' })
    expect(mergeOf(mine, nothing)).toMatchObject({ clashes: [], alone: { mine: ['b → writer_2'], theirs: ['writer'] } })
    const theirs = versions(adds, renames)
    expect(valuesOf(merged(theirs, nothing))).toEqual({ a: 'a', writer: 'b', c: 'c', writer_2: 'new' })
    expect(newIds(theirs, nothing)).toEqual(new Map(Object.entries({ b: 'writer', writer: 'writer_2' })))
  })

  test('for two different nodes, loses neither', () => {
    const docs = versions([rename('b', 'one')], [rename('c', 'one')])
    expect(valuesOf(merged(docs, nothing))).toEqual({ a: 'a', one_2: 'b', one: 'c' })
    expect(rawEdges(merged(docs, nothing).definition)).toEqual([wire('a', 'one_2'), wire('one_2', 'one')])
  })

  test('for a new node, where the other still changes the one that was called so, leaves both', () => {
    const docs = versions([rename('a', 'source'), add('a', 300, 'new')], [say('a', 'changed')])
    expect(mergeOf(docs, nothing)).toMatchObject({ clashes: [], alone: { mine: ['a → source', 'a'] } })
    const both = merged(docs, nothing)
    expect(valuesOf(both)).toEqual({ source: 'changed', b: 'b', c: 'c', a: 'new' })
    expect(rawEdges(both.definition)).toEqual([wire('source', 'b'), wire('b', 'c')])
    expect(both.positions).toEqual({ source: at(0), b: at(100), c: at(200), a: at(300) })
  })
})

describe('names that nodes have swapped or passed on', () => {
  const swap = [rename('a', 'x'), rename('b', 'a'), rename('x', 'b')]

  test('go together with what the other changed of these nodes', () => {
    const docs = versions([say('a', 'changed')], swap)
    expect(mergeOf(docs, nothing)).toMatchObject({ clashes: [], alone: { theirs: ['a → b', 'b → a'] } })
    const both = merged(docs, nothing)
    expect(valuesOf(both)).toEqual({ a: 'b', b: 'changed', c: 'c' })
    expect(rawEdges(both.definition)).toEqual([wire('b', 'a'), wire('a', 'c')])
    expect(both.positions).toEqual(docs.theirs.positions)
    const passed = versions([rename('b', 'd'), rename('a', 'b')], [say('a', 'first'), say('b', 'second')])
    expect(valuesOf(merged(passed, nothing))).toEqual({ b: 'first', d: 'second', c: 'c' })
  })

  test('are not seen where nodes have swapped their places only, as by arranging', () => {
    const arranged: Doc = { ...before, positions: { a: at(100), b: at(0), c: at(200) } }
    expect(renamesIn(before, arranged)).toEqual(new Map())
    expect(renamesIn(before, changed(before, ...swap))).toEqual(new Map(Object.entries({ a: 'b', b: 'a' })))
  })
})

describe('what is taken for the same node', () => {
  const named = (nodes: Raw, positions: Positions) =>
    renamesIn(before, { ...before, definition: { ...before.definition, nodes }, positions })
  const { a, b } = { a: text('a'), b: text('b') }

  test('is of the same type and at the same place', () => {
    expect(named({ a, b, last: text('other') }, before.positions).size).toBe(0)
    expect(named({ a, b, last: text('other') }, { a: at(0), b: at(100), last: at(200) })).toEqual(
      new Map([['c', 'last']]),
    )
    expect(named({ a, b, last: text('c', 'text.join') }, { a: at(0), b: at(100), last: at(200) }).size).toBe(0)
    expect(named({ a, b, last: text('c') }, { a: at(0), b: at(100), last: at(201) }).size).toBe(0)
  })

  test('is no node where two could be meant', () => {
    const places = { a: at(0), b: at(100), one: at(200), two: at(200) }
    expect(named({ a, b, one: text('c'), two: text('c') }, places).size).toBe(0)
  })

  test('says the same if a script gave it no place', () => {
    const { type, version, params } = text('c')
    expect(named({ a, b, last: { params, version, type } }, before.positions)).toEqual(new Map([['c', 'last']]))
  })
})

describe('a node that got another name and was changed otherwise too', () => {
  const move = (id: string, x: number): Edit => ({ type: 'move', positions: { [id]: at(x) } })
  const leads = (from: string, to: string): Edit => ({ type: 'connect', edge: wire(from, to) })

  test('is the same node at another place if it says the same and its wires are the same', () => {
    const moved = [rename('b', 'writer'), move('writer', 500)]
    const docs = versions(moved, [say('b', 'changed')])
    expect(mergeOf(docs, nothing)).toMatchObject({ clashes: [], alone: { mine: ['b → writer'], theirs: ['writer'] } })
    expect(valuesOf(merged(docs, nothing))).toEqual({ a: 'a', writer: 'changed', c: 'c' })
    expect(merged(docs, nothing).positions).toEqual({ a: at(0), writer: at(500), c: at(200) })
  })

  test('is the same at another place together with others to which its wires lead', () => {
    const all = [rename('a', 'x'), rename('b', 'y'), rename('c', 'z'), move('x', 500), move('y', 600), move('z', 200)]
    expect(renamesIn(before, changed(before, ...all))).toEqual(new Map(Object.entries({ a: 'x', b: 'y', c: 'z' })))
  })

  test('is another one at another place if it says something else, or has other wires or none', () => {
    const moved = [rename('b', 'writer'), move('writer', 500)]
    const named = (...changes: Edit[]) => renamesIn(before, changed(before, ...moved, ...changes)).size
    expect(named()).toBe(1)
    expect(named(say('writer', 'changed'))).toBe(0)
    expect(named({ type: 'remove', ids: [], edges: [edgeName(wire('writer', 'c'))] })).toBe(0)
    expect(named(add('d', 900), leads('writer', 'd'))).toBe(0)
    const alone = changed(before, { type: 'remove', ids: [], edges: [wire('a', 'b'), wire('b', 'c')].map(edgeName) })
    expect(renamesIn(alone, changed(alone, ...moved)).size).toBe(0)
  })

  test('is the same while a new node has its former name, if it lies where it did and its wires are the same', () => {
    const docs = versions(
      [rename('b', 'writer'), say('writer', 'mine'), add('b', 900, 'new')],
      [add('d', 300), leads('b', 'd')],
    )
    expect(mergeOf(docs, nothing).clashes).toEqual([])
    const both = merged(docs, nothing)
    expect(valuesOf(both)).toEqual({ a: 'a', writer: 'mine', c: 'c', b: 'new', d: 'd' })
    expect(new Set(rawEdges(both.definition))).toEqual(
      new Set([wire('a', 'writer'), wire('writer', 'c'), wire('writer', 'd')]),
    )
  })

  test('is another one while a node has its former name, if wires are other ones, or that node says what it did', () => {
    const named = (...changes: Edit[]) =>
      renamesIn(before, changed(before, rename('b', 'writer'), say('writer', 'mine'), ...changes)).size
    expect(named(add('b', 900, 'new'))).toBe(1)
    expect(named(add('b', 900, 'new'), leads('b', 'writer'))).toBe(0)
    expect(named(add('b', 900, 'b'))).toBe(0)
  })

  test('is the same in a swap of two names after which both say something else', () => {
    const swap = [rename('a', 'z'), rename('b', 'a'), rename('z', 'b'), say('a', 'one'), say('b', 'two')]
    expect(renamesIn(before, changed(before, ...swap))).toEqual(new Map(Object.entries({ a: 'b', b: 'a' })))
  })
})

test('a choice holds while another changes what does not touch it, also names, and not once they give another name', () => {
  const mine = [rename('a', 'mine'), say('b', 'mine')]
  const docs = versions(mine, [rename('a', 'theirs'), say('b', 'theirs')])
  const chosen = chosenOf(docs, allOf(docs, 'theirs'))
  expect([...stillHeld(docs, chosen).keys()]).toEqual(['a', 'b'])
  // The wire into `b` begins at the node with the other name now, and is still the same wire.
  const again = versions(mine, [rename('a', 'again'), say('b', 'theirs'), say('c', 'later')])
  expect([...stillHeld(again, chosen)]).toEqual([['b', 'theirs']])
  const under = versions(mine, [rename('a', 'theirs'), say('b', 'theirs'), rename('b', 'new_name')])
  expect([...stillHeld(under, chosen).keys()]).toEqual(['a', 'b'])
})

describe('whatever both renamed, changed, removed, added and wired', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const base = changed(before, add('d', 300), add('e', 400), { type: 'connect', edge: wire('c', 'd') })
  type Step = { kind: 'rename' | 'say' | 'remove' | 'add' | 'wire'; one: number; other: number }
  const drawn = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom<Step['kind']>('rename', 'rename', 'say', 'remove', 'add', 'wire'),
      one: fc.nat(6),
      other: fc.nat(6),
    }),
    { maxLength: 6 },
  )
  /** A version, and for its nodes what they were in `base`, which no version of a graph says. */
  type Made = { doc: Doc; origins: ReadonlyMap<string, string> }
  const changeOf = ({ kind, one, other }: Step, { origins }: Made, label: string): Edit | null => {
    const [id, next] = [[...origins.keys()][one], [...origins.keys()][other]]
    const to = nameOf(other)
    if (kind === 'add') return origins.has(to) ? null : add(to, 1000 + Number(label.replaceAll(/\D/g, '')), label)
    if (id === undefined) return null
    if (kind === 'say') return say(id, label)
    if (kind === 'remove') return remove(id)
    if (kind === 'rename') return origins.has(to) ? null : rename(id, to)
    return next === undefined || one >= other ? null : { type: 'connect', edge: wire(id, next, `p_${label}`) }
  }
  /** Some names are those that the other side may give as well. */
  const nameOf = (index: number): string => ['p', 'q', ...ids][index] ?? 'p'
  const originsAfter = (change: Edit, { doc, origins }: Made, after: Doc): ReadonlyMap<string, string> => {
    const gone = change.type === 'rename' ? origins.get(change.id) : undefined
    const come = Object.keys(rawNodes(after.definition)).filter((id) => !Object.hasOwn(rawNodes(doc.definition), id))
    const kept = [...origins].filter(([id]) => Object.hasOwn(rawNodes(after.definition), id))
    return new Map([...kept, ...come.map((id) => [id, gone ?? `new ${after.positions[id]?.x}`] as const)])
  }
  const made = (steps: Step[], from: number): Made =>
    steps.reduce<Made>(
      (before, step, index) => {
        const change = changeOf(step, before, `said ${from + index}`)
        if (change === null) return before
        const doc = changed(before.doc, change)
        return { doc, origins: originsAfter(change, before, doc) }
      },
      { doc: base, origins: new Map(ids.map((id) => [id, id])) },
    )
  const wiresOf = ({ definition }: Doc, origin: (id: string) => string | undefined) =>
    rawEdges(definition).map((raw) => {
      const edge = readEdge(raw)
      return JSON.stringify([origin(edge?.from.node ?? ''), origin(edge?.to.node ?? ''), edge?.to.port])
    })

  test('a merge has each node once that neither removed, with its value, and each wire that neither cut', () => {
    const told = { renamed: 0, not: 0 }
    fc.assert(
      fc.property(drawn, drawn, (one, other) => {
        const [mine, theirs] = [made(one, 10), made(other, 50)]
        const docs = { before: base, mine: mine.doc, theirs: theirs.doc }
        // A side that also rewires a node it changed and renamed, and gives its name to another one, is not told from one that changes both.
        const isTold = [mine, theirs].every(({ doc, origins }) => {
          const found = renamesIn(base, doc)
          return [...origins].every(([id, was]) => !ids.includes(was) || (found.get(was) ?? was) === id)
        })
        const added = (side: Made) => [...side.origins].filter(([, was]) => !ids.includes(was))
        if (!isTold) told.not += 1
        if (!isTold || mergeOf(docs, nothing).clashes.length > 0) return
        const isRenamed = ({ origins }: Made) => [...origins].some(([id, was]) => ids.includes(was) && id !== was)
        if (isRenamed(mine) || isRenamed(theirs)) told.renamed += 1
        const both = merged(docs, nothing)
        const kept = ids.filter((id) => [mine, theirs].every(({ origins }) => [...origins.values()].includes(id)))
        const nodes = Object.values(valuesOf(both))
        expect(nodes).toHaveLength(kept.length + added(mine).length + added(theirs).length)
        const valueIn = (side: Made, was: string) =>
          valuesOf(side.doc)[[...side.origins].find(([, one]) => one === was)?.[0] ?? '']
        const values = kept.map((was) => {
          const [ours, others] = [valueIn(mine, was), valueIn(theirs, was)]
          return ours === was ? others : ours
        })
        const news = [mine, theirs].flatMap((side) => added(side).map(([id]) => valuesOf(side.doc)[id]))
        expect(nodes.toSorted()).toEqual([...values, ...news].toSorted())
        expect(Object.keys(both.positions).toSorted()).toEqual(Object.keys(valuesOf(both)).toSorted())
        // Each node of the merged graph by what it was: all lie at places of their own, which nobody moved.
        const placed = new Map(
          [mine, theirs].flatMap(({ doc, origins }) =>
            [...origins].map(([id, was]) => [doc.positions[id]?.x, was] as const),
          ),
        )
        const wires = wiresOf(both, (id) => placed.get(both.positions[id]?.x))
        const [ours, others] = [mine, theirs].map(({ doc, origins }) => wiresOf(doc, (id) => origins.get(id)))
        const old = wiresOf(base, (id) => id)
        const expected = [...new Set([...(ours ?? []), ...(others ?? [])])].filter(
          (one) => !old.includes(one) || (ours?.includes(one) && others?.includes(one)),
        )
        expect(wires.toSorted()).toEqual(expected.toSorted())
      }),
      { seed: 11, numRuns: 600 },
    )
    expect(told.renamed).toBeGreaterThan(100)
    expect(told.not).toBeLessThan(20)
  })
})
