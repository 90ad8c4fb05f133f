// Facts about the entries of the command palette for the steps in which a graph or a person is chosen.
import { expect, test } from 'vitest'
import { fullWords } from '../lib/dates.ts'
import type { Person } from '../lib/types.ts'
import { type Acts, type Known, offers } from './offers.ts'
import type { Action } from './steps.ts'

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
