// In charge of creating the entries for each step of the command palette. Pure except for the actions.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import type { ManyActs } from '../board/many-acts.ts'
import { runLooks } from '../canvas/words.ts'
import { changesApart } from '../lib/apart.ts'
import type { Card, Person } from '../lib/types.ts'
import { cutWords } from '../ui/cut-list.ts'
import { type Place, places } from '../ui/places.ts'
import type { Address } from './addresses.ts'
import type { Entry, Group } from './entries.ts'
import type { FoundRun } from './found-runs.ts'
import { assignees, manyGroups, manyValues } from './many-offers.ts'
import { type Action, questionOf, type Step, type Subject, titleOf } from './steps.ts'

type Creatives = CallResult<'lookupCreatives'>[number]['creatives']
export type Known = {
  /** `typed`: the text that is in the field now; `asked`: the text for which the records below were last requested. */
  typed: string
  asked: string
  /** The address of a page of this workspace, if that is what is typed. */
  address: Address | null
  /** The task that is open, or the task of the card that had the focus; null if there is neither, or the card is one of `many`. */
  subject: Subject | null
  /** What can be done with the selected cards of the board; null if there are not several. */
  many: ManyActs | null
  statuses: readonly { value: TaskStatus; label: string }[]
  tasks: readonly Card[]
  graphs: readonly { id: string; name: string; updated_at: string }[]
  /** The number of tasks and of graphs above, each only if the service has more that fit; else null. */
  cutAt: { tasks: number | null; graphs: number | null }
  runs: readonly FoundRun[]
  /** What is said of runs that are not among `runs`. */
  runsNote: string | null
  creatives: { handle: string; creatives: Creatives }
  templates: readonly { id: string; name: string }[]
  people: readonly Person[]
  mayWrite: boolean
  mayRun: boolean
}

export type Acts = {
  goOn: (step: Step) => void
  openTask: (id: string) => void
  openGraph: (id: string) => void
  openRun: (id: string) => void
  openCreative: (id: string) => void
  openPage: (to: Place['to']) => void
  openAddress: (path: string) => void
  lookUp: (handle: string) => void
  createTask: (name: string, template?: string) => void
  move: (subject: Subject, status: TaskStatus, label: string) => void
  assign: (subject: Subject, person: string | null, name: string) => void
  run: (subject: Subject, graphId: string) => void
}

export function offers(step: Step, known: Known, acts: Acts): Group[] {
  switch (step.kind) {
    case 'first':
      return firstOffers(known, acts)
    case 'name':
      return [{ title: 'New', entries: named(known.typed, acts) }]
    case 'template':
      return [{ title: questionOf(step), entries: templateEntries(known, acts) }]
    case 'task': {
      const { action } = step
      const choose = (subject: Subject) => acts.goOn({ kind: 'value', action, subject })
      return [{ title: withCut('Tasks', known.cutAt.tasks), entries: taskEntries(known, choose, true) }]
    }
    case 'value': {
      const title = withCut(questionOf(step), step.action === 'run' ? known.cutAt.graphs : null)
      return [{ title, entries: valueEntries(step.action, step.subject, known, acts) }]
    }
    case 'many':
      return [{ title: questionOf(step), entries: known.many ? manyValues(step.action, known.many, known) : [] }]
  }
}

const withCut = (title: string, cutAt: number | null): string =>
  cutAt === null ? title : `${title} · ${cutWords(cutAt)}`

/** The entries of the first step. Graphs, runs and templates are offered only for a typed text, because there may be many. */
function firstOffers(known: Known, acts: Acts): Group[] {
  const { address, asked, cutAt, runsNote, subject, mayWrite, templates, typed } = known
  // A new task is not offered: an address would be its name.
  if (address) return [{ title: 'Address', entries: [addressEntry(address, typed, acts)] }]
  const newTask: Entry = {
    key: 'new',
    icon: 'plus',
    title: 'New task …',
    leadsOn: true,
    act: () => acts.goOn({ kind: 'name' }),
  }
  const fromTemplate: Entry = {
    key: 'new from template',
    icon: 'bookmark',
    title: 'New task from a template …',
    leadsOn: true,
    act: () => acts.goOn({ kind: 'template' }),
  }
  const fresh = [newTask, ...(templates.length > 0 ? [fromTemplate] : []), ...named(typed, acts)]
  return [
    { title: 'Creatives', entries: creativeEntries(known, acts) },
    ...manyGroups(known.many, acts.goOn),
    { title: subject ? titleOf(subject) : 'Do', entries: actionEntries(known, acts) },
    { title: withCut('Tasks', cutAt.tasks), entries: taskEntries(known, ({ id }) => acts.openTask(id), false) },
    { title: withCut('Graphs', cutAt.graphs), entries: asked === '' ? [] : graphEntries(known, acts.openGraph) },
    {
      title: 'Pages',
      entries: places.map(({ to, label, icon }) => ({ key: to, icon, title: label, act: () => acts.openPage(to) })),
    },
    { title: runsNote === null ? 'Runs' : `Runs · ${runsNote}`, entries: asked === '' ? [] : runEntries(known, acts) },
    { title: 'New', entries: mayWrite ? fresh : [] },
    { title: 'Templates', entries: mayWrite && asked !== '' ? templateEntries(known, acts) : [] },
  ]
}

const addressEntry = ({ path, title }: Address, hint: string, acts: Acts): Entry => ({
  ...{ key: 'address', icon: 'link', title, hint, isFound: true },
  act: () => acts.openAddress(path),
})

/** The entries for the creatives that were found. There are none if the creatives belong to a text that was typed earlier. */
function creativeEntries({ creatives: { handle, creatives }, typed }: Known, acts: Acts): Entry[] {
  const [one] = creatives
  if (!one || handle !== typed) return []
  const what = creatives.length === 1 ? one.name : `${creatives.length} creatives`
  return [
    {
      key: 'lookup',
      icon: 'lookup',
      title: `Look up ${handle}`,
      hint: what === handle ? undefined : what,
      isFound: true,
      act: () => acts.lookUp(handle),
    },
    {
      key: `creative ${one.id}`,
      icon: 'image',
      title: `Open the task of ${one.name}`,
      isFound: true,
      act: () => acts.openCreative(one.id),
    },
  ]
}

const doing = [
  { action: 'move', icon: 'move', verb: 'Move', rest: 'to …' },
  { action: 'assign', icon: 'people', verb: 'Assign', rest: 'to …' },
  { action: 'run', icon: 'run', verb: 'Run a graph for', rest: '…' },
] as const

const actionEntries = ({ subject, mayRun, mayWrite }: Known, { goOn }: Acts): Entry[] =>
  doing
    .filter(({ action }) => (action === 'run' ? mayRun : mayWrite))
    .map(({ action, icon, verb, rest }) => ({
      key: action,
      icon,
      title: subject ? `${verb} “${subject.name}” ${rest}` : `${verb} a task ${rest}`,
      leadsOn: true,
      act: () => goOn(subject ? { kind: 'value', action, subject } : { kind: 'task', action }),
    }))

const taskEntries = ({ tasks, statuses }: Known, choose: (subject: Subject) => void, leadsOn: boolean): Entry[] =>
  tasks.map(({ id, number, name, status }) => ({
    key: `task ${id}`,
    icon: 'board',
    title: titleOf({ name, number }),
    hint: statuses.find(({ value }) => value === status)?.label,
    isFound: true,
    leadsOn,
    act: () => choose({ id, number, name }),
  }))

function graphEntries({ graphs }: Known, choose: (id: string) => void): Entry[] {
  const changes = changesApart(graphs)
  return graphs.map(({ id, name }) => ({
    key: `graph ${id}`,
    icon: 'graph',
    title: name,
    hint: changes.get(id),
    isFound: true,
    act: () => choose(id),
  }))
}

const templateEntries = ({ templates }: Known, acts: Acts): Entry[] =>
  templates.map(({ id, name }) => ({
    key: `template ${id}`,
    icon: 'bookmark',
    title: `New task from “${name}”`,
    act: () => acts.createTask(name, id),
  }))

const runEntries = ({ runs, typed }: Known, acts: Acts): Entry[] =>
  runs.map(({ id, graph_name, status, isFound }) => ({
    key: `run ${id}`,
    icon: 'run',
    title: `Run of ${graph_name ?? 'a graph that is gone'}, ${runLooks[status].label.toLowerCase()}`,
    hint: id.slice(-8),
    isFound: isFound || id === typed,
    act: () => acts.openRun(id),
  }))

const named = (name: string, acts: Acts): Entry[] =>
  name === ''
    ? []
    : [
        {
          key: 'new named',
          icon: 'plus',
          title: `New task “${name}”`,
          isFound: true,
          act: () => acts.createTask(name),
        },
      ]

function valueEntries(action: Action, of: Subject, known: Known, acts: Acts): Entry[] {
  switch (action) {
    case 'move':
      return known.statuses.map(({ value, label }) => ({
        key: value,
        icon: 'move',
        title: label,
        act: () => acts.move(of, value, label),
      }))
    case 'assign':
      return assignees(known.people).map(({ id, name }) => ({
        key: `person ${id}`,
        icon: 'people',
        title: name,
        act: () => acts.assign(of, id, name),
      }))
    case 'run':
      return graphEntries(known, (id) => acts.run(of, id))
  }
}
