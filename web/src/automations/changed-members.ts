// In charge of what is sent when an automation is edited: only what the admin has changed; and of what another admin has changed
// meanwhile. Pure.
import type { AutomationCreate, AutomationPatch } from '@atelier/contract/automations.ts'

/** What the form is for. */
export type Members = Required<Omit<AutomationCreate, 'enabled'>>
export type Member = keyof Members

/**
 * Returns the members of `after` that differ from `before`: the others stay as they are, since another admin may have changed them
 * while the form was open. Targets and outputs are nodes of the graph, so they are sent with a new one even if they look the same.
 */
export function changedMembers(before: AutomationPatch, after: AutomationPatch): AutomationPatch {
  const isNewGraph = after.graph_id !== before.graph_id
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => (isNewGraph && ofGraph.includes(name)) || !isSame(value, Reflect.get(before, name)),
    ),
  )
}

const members = ['name', 'on_status', 'query', 'graph_id', 'targets', 'outputs', 'to_status'] as const
const ofGraph: readonly string[] = ['targets', 'outputs'] satisfies Member[]

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * The members that are to be looked at first, because another admin has saved other values of them since the form was opened, and to
 * save it would replace these. `before`: what the form began with; `mine`: what it would send; `now`: what is saved. Targets and
 * outputs belong to a graph that was chosen anew, and are looked at with it.
 */
export function overtakenMembers(before: Members, mine: Members, now: Members): Member[] {
  const sent = changedMembers(before, mine)
  const isOvertaken = (name: Member) => !isSame(now[name], before[name]) && !isSame(now[name], mine[name])
  return members.filter(
    (name) => name in sent && !goesWithGraph(name, before, mine) && withIts(name, before, mine).some(isOvertaken),
  )
}

/** The members that only the other admin has changed: the form shows these as they are now. */
export const followedMembers = (before: Members, mine: Members, now: Members): Member[] =>
  members.filter((name) => !(name in changedMembers(before, mine)) && !isSame(now[name], before[name]))

const goesWithGraph = (name: Member, before: Members, mine: Members): boolean =>
  mine.graph_id !== before.graph_id && ofGraph.includes(name)

/** The members that are chosen with this one: if the graph was chosen anew, also its targets and outputs. */
export const withIts = (name: Member, before: Members, mine: Members): Member[] =>
  name === 'graph_id' && mine.graph_id !== before.graph_id ? ['graph_id', 'targets', 'outputs'] : [name]

/** `before`, with these members as they are `now`. */
export const rebasedOn = (before: Members, now: Members, names: readonly Member[]): Members => ({
  ...before,
  ...Object.fromEntries(names.map((name) => [name, now[name]])),
})
