// Facts about the questions of gates: which are open, what each key means, and which node or item is re-rolled for an option.
import { type Definition, type GraphEdge, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { describe, expect, test } from 'vitest'
import { keptForm, picksAfter, picksIn } from './gate-drafts.ts'
import { meaningOf } from './gate-keys.ts'
import { answerWords } from './gate-words.ts'
import { openQuestions, optionWords, pickWords, type Question, shownQuestion, toggled } from './questions.ts'
import { sourceOfOption } from './roll-sources.ts'

const state = (members: Partial<NodeRunState>): NodeRunState => ({
  status: 'succeeded',
  progress: 1,
  outputs: {},
  error: '',
  message: '',
  credits_consumed: 0,
  duration_seconds: 0,
  checkpoint: {},
  items: {},
  ...members,
})
const { items: _items, started_at: _started, ...item } = state({})
const request = { kind: 'choose', title: 'Which?', options: ['a', 'b'], min: 1, max: 1 }

test('open questions come in the order of the graph, then of the items', () => {
  const asking = { ...item, status: 'awaiting_input' as const, checkpoint: { request, asked: 'a hash' } }
  const nodes = {
    late: state({ status: 'awaiting_input', checkpoint: { request } }),
    early: state({ status: 'awaiting_input', items: { 10: asking, 2: asking, 3: item } }),
    done: state({}),
  }
  const open = openQuestions(nodes, ['done', 'early', 'late', 'gone'])
  expect(open.map(({ node, item, asked }) => [node, item, asked])).toEqual([
    ['early', 2, 'a hash'],
    ['early', 10, 'a hash'],
    // The service is of a version that does not tell what an answer has to name.
    ['late', null, null],
  ])
})

test('while its options are rolled again a question stays, though others are open; then it is asked again', () => {
  const asking = state({ status: 'awaiting_input', checkpoint: { request } })
  const [first, second] = openQuestions({ a: asking, b: asking }, ['a', 'b'])
  if (!first || !second) throw new Error('There are two questions.')
  const shown = (questions: Question[], isRolling: boolean, last: Question | null = second) =>
    shownQuestion(questions, { current: second, last, isRolling, order: ['a', 'b'] })
  expect(shown([first, second], false)).toBe(second)
  expect(shown([first], true)).toBe(second)
  expect(shown([first, second], false)).toBe(second)
  expect(shown([first], false)).toBe(first)
  expect([shown([first], true, null), shown([], false)]).toEqual([first, null])
})

test('after an answer the question that followed is shown and stays; the first only if none follows', () => {
  const asking = { ...item, status: 'awaiting_input' as const, checkpoint: { request } }
  const items = { 0: asking, 1: asking, 2: asking, 3: asking }
  const order = ['a', 'b']
  const all = openQuestions(
    { a: state({ status: 'awaiting_input', items }), b: state({ status: 'awaiting_input', checkpoint: { request } }) },
    order,
  )
  const [a0, a1, a2, a3, b] = all
  if (!a0 || !a1 || !a2 || !a3 || !b) throw new Error('There are five questions.')
  const shown = (questions: Question[], last: Question | null, current: Question | null = a1) =>
    shownQuestion(questions, { current, last, isRolling: false, order })
  // The user went to `a1`, and answered it, then `a2`, and so on.
  expect(shown([a0, a2, a3, b], a1)).toBe(a2)
  expect(shown([a0, a2, a3, b], a2)).toBe(a2)
  expect(shown([a0, a3, b], a2)).toBe(a3)
  expect(shown([a0, b], a3)).toBe(b)
  expect(shown([a0], b)).toBe(a0)
  // One that opens earlier, or again, does not take the place of the one that is shown.
  expect(shown(all, a2)).toBe(a2)
  expect(shown([a0, b], null, null)).toBe(a0)
})

test('a question of a kind nobody knows is asked all the same', () => {
  const nodes = { a: state({ status: 'awaiting_input', checkpoint: { request: { kind: 'sing' } } }) }
  expect(openQuestions(nodes, ['a'])[0]?.request).toEqual({
    kind: 'other',
    title: 'A gate asks',
    raw: { kind: 'sing' },
  })
})

test('with room for one the last pick counts; with room for more, no more than there is', () => {
  expect(toggled([0], 2, 1)).toEqual([2])
  expect(toggled([2], 0, 2)).toEqual([0, 2])
  expect(toggled([0, 2], 1, 2)).toEqual([0, 2])
  expect(toggled([0, 2], 2, 2)).toEqual([0])
  expect([pickWords(1, 1), pickWords(2, 4), pickWords(0, 3)]).toEqual([
    'Pick one',
    'Pick 2 to 4',
    'Pick up to 3, or none',
  ])
})

test('digits pick, arrows go, r rolls what has the focus, Enter answers', () => {
  const meant = (key: string, at = 1) =>
    meaningOf({ key, ctrlKey: false, metaKey: false, altKey: false }, { at, count: 5, columns: 3 })
  expect(meant('4')).toEqual({ kind: 'pick', option: 3 })
  expect(meant('9')).toBeNull()
  expect(meant('ArrowDown')).toEqual({ kind: 'go', option: 4 })
  expect(meant('ArrowLeft', 0)).toEqual({ kind: 'go', option: 0 })
  expect(meant('r')).toEqual({ kind: 'roll' })
  expect(meant('r', -1)).toBeNull()
  expect(meant('v')).toEqual({ kind: 'look' })
  expect(meant('v', -1)).toBeNull()
  expect(meant('Enter')).toEqual({ kind: 'answer' })
})

describe('what is rolled again for an option', () => {
  const type = (name: string, group: NodeType['group'], gate = false): [string, NodeType] => [
    name,
    {
      ...{ type: name, version: 1, title: name, summary: '', help: '', group, params: {}, inputs: {}, outputs: {} },
      ...{
        open_inputs: true,
        credits: { least: 0, most: 0, note: '' },
        cacheable: true,
        pure: false,
        retry_safe: true,
        gate,
      },
      ...{ available: true, unavailable_reason: null, replaced_by: null, earlier: [] },
    },
  ]
  const types = new Map([
    type('image', 'generate'),
    type('template', 'text'),
    type('list.collect', 'data'),
    type('gate', 'gate', true),
    type('text', 'input'),
  ])
  const graph = (nodes: Record<string, unknown>, ways: [string, string][]): Definition =>
    readDefinition({
      nodes: Object.fromEntries(
        Object.entries(nodes).map(([id, node]) => [
          id,
          { version: 1, ...(isPlainObject(node) ? node : { type: node }) },
        ]),
      ),
      edges: ways.map(
        ([from, to]): GraphEdge => ({
          from: { node: from, port: 'o' },
          to: { node: to, port: to === 'gate' ? 'options' : 'i' },
        }),
      ),
    })
  const each = ['i']

  test('the item that made it, also where a failed one is left out', () => {
    const definition = graph({ art: { type: 'image', each }, gate: 'gate' }, [['art', 'gate']])
    const nodes = { art: state({ outputs: { o: ['a', null, 'c'] } }) }
    expect(sourceOfOption({ definition, types, nodes }, 'gate', 1)).toEqual({ node_id: 'art', item: 2 })
  })

  test('the item above, where what comes after it makes nothing new', () => {
    const definition = graph({ art: { type: 'image', each }, words: { type: 'template', each }, gate: 'gate' }, [
      ['art', 'words'],
      ['words', 'gate'],
    ])
    const nodes = { art: state({ outputs: { o: ['a', 'b'] } }), words: state({ outputs: { o: ['A', 'B'] } }) }
    expect(sourceOfOption({ definition, types, nodes }, 'gate', 1)).toEqual({ node_id: 'art', item: 1 })
  })

  test('of what was collected, the node it came from', () => {
    const definition = graph({ one: 'image', two: { type: 'image', each }, all: 'list.collect', gate: 'gate' }, [
      ['one', 'all'],
      ['two', 'all'],
      ['all', 'gate'],
    ])
    const nodes = {
      one: state({ outputs: { o: 'x' } }),
      two: state({ outputs: { o: ['y', 'z'] } }),
      all: state({ outputs: { o: ['x', 'y', 'z'] } }),
    }
    const source = (option: number) => sourceOfOption({ definition, types, nodes }, 'gate', option)
    expect([source(0), source(2)]).toEqual([
      { node_id: 'one', item: null },
      { node_id: 'two', item: 1 },
    ])
  })

  test('nothing, where nothing above makes anything new', () => {
    const definition = graph({ brief: 'text', gate: 'gate' }, [['brief', 'gate']])
    expect(sourceOfOption({ definition, types, nodes: { brief: state({}) } }, 'gate', 0)).toBeNull()
  })
})

test('options are named by their places, neighbours together', () => {
  expect(optionWords([0, 1, 2], 3)).toBe('all options')
  expect(optionWords([1], 3)).toBe('option 2')
  expect(optionWords([0, 1, 2, 4, 6, 7], 9)).toBe('options 1 to 3, 5, 7 to 8')
})

test('picks come back at the options that are still the same', () => {
  const kept = keptForm([0, 2], ['"a"', '"b"', '"c"'])
  expect(picksIn(kept, ['"a"', '"b"', '"c"'])).toEqual([0, 2])
  expect(picksIn(kept, ['"b"', '"a"', '"c"'])).toEqual([2])
  expect(picksIn(kept, ['"a"', '"b"', '"new"', '"c"'])).toEqual([0])
})

test('when options are made anew, also fewer or more of them, only picks of those that stay where they are stay', () => {
  const [four, five, two] = [
    ['"a"', '"b"', '"c"', '"d"'],
    ['"a"', '"v"', '"w"', '"x"', '"y"'],
    ['"a"', '"v"'],
  ]
  expect(picksAfter([0, 2], four, five)).toEqual([0])
  expect(picksAfter([0, 2], four, two)).toEqual([0])
  expect(picksAfter([1, 2], four, two)).toEqual([])
  expect(picksAfter([0, 2], four, [...four, '"e"'])).toEqual([0, 2])
})

test('an answer is said in the words of its kind of gate, and a checked value is shown as it is', () => {
  expect(answerWords('gate.choose', { selected: [0] })).toEqual({ head: 'Option 1', note: '' })
  expect(answerWords('gate.choose', { selected: [0, 2] })).toEqual({ head: 'Options 1, 3', note: '' })
  expect(answerWords('gate.choose', { selected: [] })).toEqual({ head: 'None', note: '' })
  expect(answerWords('gate.approve', { approved: true })).toEqual({ head: 'Approved', note: '' })
  expect(answerWords('gate.approve', { approved: false, note: 'Too dark' })).toEqual({
    ...{ head: 'Not approved', note: 'Too dark' },
  })
  expect(answerWords('gate.edit', { value: 'A text' })).toEqual({ value: 'A text' })
  expect(answerWords('own.gate', { selected: [0] })).toEqual({ value: { selected: [0] } })
})
