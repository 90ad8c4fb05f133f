// In charge of converting a node to the form in which responses show it: its own state if it runs once, otherwise a summary
// of its items. Pure.
import { outputLists } from '@atelier/contract/graph/run-merge.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import type { NodeChanges } from '@atelier/contract/runs.ts'
import type { Stamp } from '../../platform/tables.ts'
import { isOver, questionHash, statusOf, type UnitState } from '../model/units.ts'
import type { Tally, TimedUnit } from '../store/run-changes.ts'

type ItemState = NodeRunState['items'][string]

export const unitState = (unit: UnitState): ItemState => ({
  status: unit.status,
  progress: unit.progress,
  outputs: unit.outputs ?? {},
  error: unit.error ?? '',
  message: unit.message ?? '',
  credits_consumed: unit.credits,
  duration_seconds: unit.durationSeconds,
  checkpoint: unit.request ? { request: unit.request, asked: questionHash(unit.request) } : (unit.checkpoint ?? {}),
})

/** A node in a response, from all of its units. */
export function nodeState(units: readonly TimedUnit[]): NodeRunState {
  const { item_count, ...state } = nodeChanges(units)
  return item_count === null ? state : { ...state, outputs: outputLists(state.items) }
}

/**
 * A node in a response, from its own unit and some of its items. `tallies` count all items of the node; if absent, they are
 * computed from `units`. The lists of the items' outputs are left out.
 */
export function nodeChanges(units: readonly TimedUnit[], tallies?: readonly Tally[]): NodeChanges {
  const { own, items } = splitNode(units)
  const { itemCount: item_count, startedAt } = own
  const state =
    item_count === null ? withStart(unitState(own), startedAt, {}) : gathered(own, tallies ?? tally(items), items)
  return { ...state, item_count }
}

/** The node's own unit, and its items in their order. */
export function splitNode<U extends UnitState>(units: readonly U[]): { own: U; items: U[] } {
  const own = units.find(({ item }) => item === '')
  if (!own) throw new Error('A node without a state has been asked for.')
  const items = units.filter(({ item }) => item !== '')
  return { own, items: items.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0)) }
}

const withStart = (state: ItemState, startedAt: Stamp | null, items: NodeRunState['items']): NodeRunState => ({
  ...state,
  items,
  ...(startedAt ? { started_at: startedAt } : {}),
})

/**
 * Summarises the items of a node: one status, the mean progress, the sum of the credits, and the time from the first start to
 * the last end. `shown`: the items that the response contains.
 */
function gathered(own: TimedUnit, tallies: readonly Tally[], shown: readonly TimedUnit[]): NodeRunState {
  const sum = (of: (one: Tally) => number): number => tallies.reduce((total, one) => total + of(one), 0)
  const count = sum((one) => one.count)
  const began = earliest(tallies.map((one) => one.began))
  const ended = latest(tallies.map((one) => one.ended))
  const failed = tallies.find(({ status }) => status === 'failed')
  const state: ItemState = {
    status: statusOf(tallies.map(({ status }) => status)),
    progress: count === 0 ? 1 : sum((one) => (isOver(one) ? one.count : one.progress)) / count,
    outputs: {},
    error: failed ? `${failed.count} of ${count} items failed: ${failed.error ?? ''}` : '',
    message: own.message ?? '',
    credits_consumed: sum((one) => one.credits),
    duration_seconds: began && ended ? Math.max(0, (Date.parse(ended) - Date.parse(began)) / 1000) : 0,
    checkpoint: {},
  }
  const items = Object.fromEntries(shown.map((unit) => [String(unit.position), unitState(unit)]))
  return withStart(state, earliest([began, own.startedAt]), items)
}

/** Computes tallies from items in memory; `tallyItems` computes the same in the database. */
const tally = (items: readonly TimedUnit[]): Tally[] =>
  [...Map.groupBy(items, ({ status }) => status)].map(([status, ones]) => ({
    status,
    count: ones.length,
    progress: ones.reduce((total, { progress }) => total + progress, 0),
    credits: ones.reduce((total, { credits }) => total + credits, 0),
    began: earliest(ones.map(({ startedAt }) => startedAt)),
    ended: latest(ones.map(({ finishedAt }) => finishedAt)),
    error: ones[0]?.error ?? null,
  }))

const sorted = (stamps: readonly (Stamp | null)[]): Stamp[] => stamps.filter((stamp) => stamp !== null).toSorted()
const earliest = (stamps: readonly (Stamp | null)[]): Stamp | null => sorted(stamps)[0] ?? null
const latest = (stamps: readonly (Stamp | null)[]): Stamp | null => sorted(stamps).at(-1) ?? null
