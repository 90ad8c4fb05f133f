// Facts about the entries of the command palette for the steps in which a graph or a person is chosen.
import { expect, test } from 'vitest'
import type { ManyActs } from '../board/many-acts.ts'
import { fullWords } from '../lib/dates.ts'
import type { Person } from '../lib/types.ts'
import { type Acts, type Known, offers } from './offers.ts'
import type { Action, ManyAction, Step } from './steps.ts'

const nothing = () => undefined
const acts: Acts = {
  ...{ goOn: nothing, openTask: nothing, openGraph: nothing, openRun: nothing, openCreative: nothing },
  ...{
    openPage: nothing,
    openAddress: nothing,
    lookUp: nothing,
    createTask: nothing,
    move: nothing,
    assign: nothing,
    run: nothing,
  },
}
const subject = { id: 't', name: 'A task', number: 1 }
const known: Known = {
  ...{
    typed: '',
    asked: '',
    address: null,
    subject,
    many: null,
    statuses: [],
    tasks: [],
    graphs: [],
    cutAt: { tasks: null, graphs: null },
  },
  ...{
    runs: [],
    runsNote: null,
    creatives: { handle: '', creatives: [] },
    templates: [],
    people: [],
    mayWrite: true,
    mayRun: true,
  },
}
const offered = (action: Action, more: Partial<Known>) =>
  offers({ kind: 'value', action, subject }, { ...known, ...more }, acts)
const updated_at = '2026-03-01T10:00:00Z'

test('a list of graphs that is cut says so above them', () => {
  const graphs = [{ id: 'a', name: 'Hooks', updated_at }]
  const title = (cut: number | null) => offered('run', { graphs, cutAt: { tasks: null, graphs: cut } })[0]?.title
  expect([title(null), title(6)]).toEqual(['Which graph?', 'Which graph? · The first 6; type to narrow'])
})

test('graphs and people of equal names can be told apart', () => {
  const graphs = ['a', 'b'].map((id) => ({ id, name: 'Hooks', updated_at }))
  expect(offered('run', { graphs })[0]?.entries.map(({ hint }) => hint)).toEqual(
    Array.from({ length: 2 }, () => `Changed ${fullWords(updated_at)}`),
  )
  const person = (id: string): Person => ({
    ...{ id, name: 'Ann', email: `${id}@example.org`, image_url: null, role: 'writer', active: true },
    created_at: updated_at,
  })
  expect(offered('assign', { people: [person('a'), person('b')] })[0]?.entries.map(({ title }) => title)).toEqual([
    'Ann · a@example.org',
    'Ann · b@example.org',
    'Nobody',
  ])
})

test('an address is opened, and no task is offered under it as a name', () => {
  const opened: string[] = []
  const typed = 'https://atelier.example.org/tasks/t'
  const shown = { ...known, typed, address: { path: '/tasks/t', title: 'Open this task' } }
  const groups = offers({ kind: 'first' }, shown, { ...acts, openAddress: (path) => opened.push(path) })
  expect(groups.map(({ entries }) => entries.map(({ title }) => title))).toEqual([['Open this task']])
  groups[0]?.entries[0]?.act()
  expect(opened).toEqual(['/tasks/t'])
})

test('several selected cards are moved, assigned, given a priority and deleted together', () => {
  const did: unknown[] = []
  const many: ManyActs = {
    count: 3,
    move: (to) => did.push(['move', to]),
    assign: (id, name) => did.push(['assign', id, name]),
    setPriority: (priority) => did.push(['priority', priority]),
    remove: () => did.push('remove'),
  }
  const steps: Step[] = []
  const with3 = { ...known, many, subject: null, statuses: [{ value: 'done', label: 'Done' }] } satisfies Known
  const groups = offers({ kind: 'first' }, with3, { ...acts, goOn: (step) => steps.push(step) })
  const group = groups.find(({ title }) => title === '3 cards, selected')
  expect(group?.entries.map(({ title }) => title)).toEqual([
    'Move 3 cards to …',
    'Assign 3 cards to …',
    'Set the priority of 3 cards …',
    'Delete 3 cards',
  ])
  for (const { act } of group?.entries ?? []) act()
  const actions: ManyAction[] = ['move', 'assign', 'priority']
  expect(steps).toEqual(actions.map((action) => ({ kind: 'many', action, count: 3 })))
  for (const step of steps) offers(step, with3, acts)[0]?.entries.at(-1)?.act()
  expect(did).toEqual(['remove', ['move', 'done'], ['assign', null, 'Nobody'], ['priority', null]])
})
