// Facts about changing a graph in the editor, and about undoing changes.
import { describe, expect, test } from 'vitest'
import { clipText, cutOut, freed, newNode, readClip } from '../canvas/clip.ts'
import type { Raw } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { begin, type Edit, type EditState, edit, nameNow } from './edit.ts'

const definition: Raw = {
  schema: 1,
  nodes: {
    brief: { type: 'input.text', version: 1, params: { value: 'Glow' } },
    hooks: { type: 'sample.chat', version: 1, params: {}, inputs: { brief: 'old' } },
    odd: 'not a node',
  },
  edges: [{ from: { node: 'brief', port: 'text' }, to: { node: 'hooks', port: 'prompt' } }, { broken: true }],
  note: 'kept',
}
const doc: Doc = { definition, positions: { brief: { x: 0, y: 0 }, hooks: { x: 300, y: 0 } }, annotations: {} }
const after = (...changes: Edit[]): EditState => changes.reduce(edit, begin(doc))

describe('nothing is dropped', () => {
  test('what cannot be read stays as it was written through every change', () => {
    const { doc: changed } = after(
      { type: 'value', id: 'brief', member: 'params', name: 'value', value: 'Shine' },
      { type: 'rename', id: 'brief', to: 'words' },
      { type: 'remove', ids: ['hooks'], edges: [] },
    )
    expect(changed.definition).toEqual({
      schema: 1,
      nodes: { words: { type: 'input.text', version: 1, params: { value: 'Shine' } }, odd: 'not a node' },
      edges: [{ broken: true }],
      note: 'kept',
    })
  })
})

describe('changes', () => {
  test('an edge takes the place of a value that its port had of its own', () => {
    const edge = { from: { node: 'brief', port: 'text' }, to: { node: 'hooks', port: 'brief' } }
    const { definition } = after({ type: 'connect', edge }).doc
    expect(definition.nodes).toMatchObject({ hooks: { inputs: {} } })
    expect(definition.edges).toContainEqual(edge)
  })

  test('an edge takes the place of another in one step, and the node runs once for each only if it brings a list', () => {
    const prompt = { node: 'hooks', port: 'prompt' }
    const before = { from: { node: 'brief', port: 'text' }, to: prompt }
    const edge = { from: { node: 'other', port: 'lines' }, to: prompt }
    const listed = after({ type: 'connect', edge, each: true, replaces: [before] })
    expect(listed.doc.definition.edges).toEqual([{ broken: true }, edge])
    expect(listed.doc.definition.nodes).toMatchObject({ hooks: { each: ['prompt'] } })
    const back = edit(listed, { type: 'connect', edge: before, replaces: [edge] })
    expect(back.doc.definition.nodes).toMatchObject({ hooks: { each: [] } })
    expect(edit(edit(back, { type: 'undo' }), { type: 'undo' }).doc).toEqual(doc)
    // The button of the message takes back just this, whatever was done since.
    const later = edit(listed, { type: 'value', id: 'brief', member: 'params', name: 'value', value: 'Later' })
    const taken = edit(later, { type: 'join', doc, before: listed.doc }).doc.definition
    expect(taken.edges).toContainEqual(before)
    expect(taken.edges).not.toContainEqual(edge)
    expect(taken.nodes).toMatchObject({ brief: { params: { value: 'Later' } } })
  })

  test('an input that is emptied has no value any more, and a param is empty', () => {
    const { definition } = after(
      { type: 'value', id: 'hooks', member: 'inputs', name: 'brief', value: '' },
      { type: 'value', id: 'brief', member: 'params', name: 'value', value: '' },
    ).doc
    expect(definition.nodes).toMatchObject({ brief: { params: { value: '' } } })
    expect(Object(definition.nodes).hooks.inputs).toEqual({})
  })

  test('removing a node takes its edges and its place along', () => {
    const { doc: changed } = after({ type: 'remove', ids: ['brief'], edges: [] })
    expect(changed.definition.edges).toEqual([{ broken: true }])
    expect(changed.positions).toEqual({ hooks: { x: 300, y: 0 } })
  })

  test('a renamed node keeps its place among the nodes, its edges and its position', () => {
    const { doc: changed } = after({ type: 'rename', id: 'brief', to: 'words' })
    expect(Object.keys(Object(changed.definition.nodes))).toEqual(['words', 'hooks', 'odd'])
    expect(changed.definition.edges).toContainEqual({
      from: { node: 'words', port: 'text' },
      to: { node: 'hooks', port: 'prompt' },
    })
    expect(changed.positions.words).toEqual({ x: 0, y: 0 })
  })

  test('a name that is taken changes nothing', () => {
    expect(after({ type: 'rename', id: 'brief', to: 'hooks' }).doc).toBe(doc)
  })

  test('a value taken away is left out, so that its default holds', () => {
    const { definition } = after({ type: 'value', id: 'brief', member: 'params', name: 'value', value: undefined }).doc
    expect(definition.nodes).toMatchObject({ brief: { params: {} } })
  })

  test('each is switched on and off by port', () => {
    const on: Edit = { type: 'each', id: 'hooks', port: 'prompt', on: true }
    expect(after(on).doc.definition.nodes).toMatchObject({ hooks: { each: ['prompt'] } })
    expect(after(on, { ...on, on: false }).doc.definition.nodes).toMatchObject({ hooks: { each: [] } })
  })
})

describe('changes that are made some time after their form was drawn', () => {
  const rename = (id: string, to: string): Edit => ({ type: 'rename', id, to })
  const more = (word: string): Edit => ({
    ...{ type: 'value', id: 'brief', member: 'params', name: 'value' },
    value: (before: unknown) => `${before} ${word}`,
  })
  const wordsOf = ({ doc }: EditState, id: string) => Object(doc.definition.nodes)[id]?.params.value

  test('they start from the value of that moment, also when their node has another name by then', () => {
    const set: Edit = { type: 'value', id: 'brief', member: 'params', name: 'value', value: 'Shine' }
    expect(wordsOf(after(set, more('on'), rename('brief', 'words'), more('and'), more('on')), 'words')).toBe(
      'Shine on and on',
    )
    const twice = after(rename('brief', 'words'), rename('words', 'lines'), more('on'))
    expect(wordsOf(twice, 'lines')).toBe('Glow on')
    expect(wordsOf(edit(after(rename('brief', 'words'), { type: 'undo' }), more('on')), 'brief')).toBe('Glow on')
  })

  test('a node is followed through its names until it is removed', () => {
    const back = after(rename('brief', 'words'), rename('words', 'lines'), rename('lines', 'words'))
    expect(['brief', 'words', 'lines'].map((id) => nameNow(back, id))).toEqual(['words', 'words', 'words'])
    const gone = edit(back, { type: 'remove', ids: ['words'], edges: [] })
    expect(['brief', 'words', 'lines', 'never'].map((id) => nameNow(gone, id))).toEqual([null, null, null, null])
    expect(edit(gone, more('on'))).toBe(gone)
    expect(nameNow(after(rename('brief', 'hooks')), 'brief')).toBe('brief')
  })
})

describe('taking back', () => {
  const set = (value: unknown, isTyped = false): Edit => ({
    ...{ type: 'value', id: 'brief', member: 'params', name: 'value' },
    ...{ value, isTyped },
  })
  const value = (text: string): Edit => set(text, true)

  test('a word typed into one field is one step', () => {
    const state = after(value('S'), value('Sh'), value('Shine'))
    expect(state.past).toHaveLength(1)
    expect(edit(state, { type: 'undo' }).doc).toBe(doc)
  })

  test('what is typed after the field was left, or after its value was set otherwise, is a step of its own', () => {
    const left = after(value('S'), value('Shine'), { type: 'endStep' }, value('Shine on'))
    expect(edit(left, { type: 'undo' }).doc.definition.nodes).toMatchObject({ brief: { params: { value: 'Shine' } } })
    expect(after(value('S'), set(undefined), value('G'), set('Gl'), set('Glo')).past).toHaveLength(5)
    expect(edit(left, { type: 'endStep' }).past).toHaveLength(2)
  })

  test('another change in between begins a new step', () => {
    const state = after(value('S'), { type: 'move', positions: { brief: { x: 9, y: 9 } } }, value('Sh'))
    expect(state.past).toHaveLength(3)
  })

  test('what was undone comes back by redo, until something else is done', () => {
    const undone = after(value('S'), { type: 'undo' })
    expect(edit(undone, { type: 'redo' }).doc.definition.nodes).toMatchObject({ brief: { params: { value: 'S' } } })
    const other = edit(undone, { type: 'remove', ids: ['hooks'], edges: [] })
    expect(edit(other, { type: 'redo' })).toBe(other)
  })

  test('where nothing was done there is nothing to undo', () => {
    const state = begin(doc)
    expect(edit(state, { type: 'undo' })).toBe(state)
  })
})

describe('texts in fields for JSON that cannot be read yet', () => {
  const form = { node: 'brief', member: 'params', name: 'value' } as const
  const typed = (text: string | null): Edit => ({ type: 'unread', place: form, text })
  const remove: Edit = { type: 'remove', ids: ['brief'], edges: [] }
  const addAgain: Edit = { type: 'add', clip: cutOut(doc, new Set(['brief'])) }
  const text = { ...form, text: '{' }
  const undo = (state: EditState) => edit(state, { type: 'undo' })

  test('a text goes with its node, is not in a new node that has the same name, and comes back with it', () => {
    const again = after(typed('{'), remove, addAgain)
    expect(nameNow(again, 'brief')).toBe('brief')
    expect(again.unread).toEqual([])
    expect(undo(again).unread).toEqual([])
    expect(undo(undo(again)).unread).toEqual([text])
    expect(edit(undo(undo(again)), { type: 'redo' }).unread).toEqual([])
  })

  test('a renamed node keeps its text, and one that gets the former name has none', () => {
    const renamed = after(typed('{'), { type: 'rename', id: 'brief', to: 'words' }, addAgain)
    expect(renamed.unread).toEqual([{ ...text, node: 'words' }])
    expect(undo(undo(renamed)).unread).toEqual([text])
  })

  test('a text that was kept is dropped where its node is gone when the graph is opened, or from another version', () => {
    expect(begin(doc, [text, { ...text, node: 'gone' }]).unread).toEqual([text])
    const { brief: _, ...nodes } = Object(definition.nodes)
    const other: Doc = { ...doc, definition: { ...definition, nodes } }
    const taken = edit(after(typed('{')), { type: 'take', doc: other, over: doc, ids: new Map() })
    expect(taken.unread).toEqual([])
    expect(undo(taken).unread).toEqual([text])
  })

  test('a text follows a node that has another name in the version which the editor goes on from', () => {
    const ids = new Map([['brief', 'words']])
    const named = after({ type: 'rename', id: 'brief', to: 'words' }).doc
    expect(edit(after(typed('{')), { type: 'reset', doc: named, ids })).toMatchObject({
      unread: [{ ...text, node: 'words' }],
      names: ids,
    })
    expect(undo(edit(after(typed('{')), { type: 'take', doc, over: named, ids })).unread).toEqual([
      { ...text, node: 'words' },
    ])
  })

  test('typing it is one step with what can be read on the way, and undone by itself', () => {
    const value: Edit = { type: 'value', ...{ id: 'brief', member: 'params', name: 'value' }, value: {}, isTyped: true }
    const whole = after(typed('{'), typed('{ '), typed(null), value)
    expect(whole.past).toHaveLength(1)
    expect(undo(whole)).toMatchObject({ doc, unread: [] })
    const left = after(typed('{'), { type: 'endStep' }, typed('{ '))
    expect(undo(left)).toMatchObject({ doc, unread: [text] })
    const state = begin(doc)
    expect(edit(state, typed(null))).toBe(state)
  })
})

test('a version that was given up is joined to what was changed since, and undoing that loses nothing', () => {
  const valued = (name: string, value: string): Edit => ({ type: 'value', id: 'hooks', member: 'params', name, value })
  const mine = after(valued('tone', 'mine')).doc
  const since = after(
    { type: 'value', id: 'brief', member: 'params', name: 'value', value: 'Shine' },
    { type: 'join', doc: mine, before: doc },
  )
  expect(since.doc.definition.nodes).toMatchObject({
    brief: { params: { value: 'Shine' } },
    hooks: { params: { tone: 'mine' } },
  })
  // Where both changed the same node, the version that is brought back is kept, and undo returns to the other one.
  const clash = after(valued('tone', 'since'), { type: 'join', doc: mine, before: doc })
  expect(clash.doc.definition.nodes).toMatchObject({ hooks: { params: { tone: 'mine' } } })
  expect(edit(clash, { type: 'undo' }).doc.definition.nodes).toMatchObject({ hooks: { params: { tone: 'since' } } })
  const isBack = begin(mine)
  expect(edit(isBack, { type: 'join', doc: mine, before: doc })).toBe(isBack)
})

test('what is pasted has free names, the edges among it, and stands beside', () => {
  const clip = cutOut(doc, new Set(['brief', 'hooks']))
  const { doc: pasted } = after({
    type: 'add',
    clip: freed(clip, { brief: {}, hooks: {}, hooks_2: {} }, { x: 40, y: 40 }),
  })
  expect(Object.keys(Object(pasted.definition.nodes))).toEqual(['brief', 'hooks', 'odd', 'brief_2', 'hooks_3'])
  expect(pasted.definition.edges).toContainEqual({
    from: { node: 'brief_2', port: 'text' },
    to: { node: 'hooks_3', port: 'prompt' },
  })
  expect(pasted.positions.hooks_3).toEqual({ x: 340, y: 40 })
})

test('notes and frames are written in, moved, copied and removed with the nodes, and leave the definition alone', () => {
  const note = { kind: 'note', colour: 'yellow', text: 'Why', x: 0, y: 0, width: 240, height: 140 } as const
  const noted: Doc = { ...doc, annotations: { 'note/1': note } }
  const steps = (...changes: Edit[]) => changes.reduce(edit, begin(noted))
  const written = steps(
    { type: 'annotate', id: 'note/1', change: { text: 'Why n' }, isTyped: true },
    { type: 'annotate', id: 'note/1', change: { text: 'Why not' }, isTyped: true },
    { type: 'move', positions: { 'note/1': { x: 5, y: 6 }, brief: { x: 7, y: 8 } } },
  )
  expect(written.past).toHaveLength(2)
  expect(written.doc.definition).toBe(doc.definition)
  expect(written.doc.annotations).toEqual({ 'note/1': { ...note, text: 'Why not', x: 5, y: 6 } })
  expect(written.doc.positions).toEqual({ brief: { x: 7, y: 8 }, hooks: { x: 300, y: 0 } })

  const clip = readClip(clipText(cutOut(noted, new Set(['note/1']))))
  const copy = freed(clip ?? newNode({ type: 'x', version: 1 }, note), {}, { x: 40, y: 40 })
  const pasted = steps({ type: 'add', clip: copy }).doc
  expect(pasted.definition).toBe(doc.definition)
  expect(Object.values(pasted.annotations)).toEqual([note, { ...note, x: 40, y: 40 }])
  expect(steps({ type: 'remove', ids: ['note/1'], edges: [] }).doc).toEqual(doc)
  const colour = (colour: 'green' | 'blue'): Edit => ({ type: 'annotate', id: 'note/1', change: { colour } })
  expect(steps(colour('green'), colour('blue')).past).toHaveLength(2)
})
