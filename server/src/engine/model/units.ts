// In charge of what a unit of work is: a node, or one item of a node that runs once per element; its state and its name.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { turn } from './turns.ts'

/** `item` is empty for the node itself. */
export type UnitName = { node: string; item: string }

/** One key for a unit, in maps. Node ids have no newline. */
export const unitKey = ({ node, item }: UnitName): string => `${node}\n${item}`

export type UnitState = UnitName & {
  /** Index of the item; null for a node. */
  position: number | null
  /** Items of a node that runs once per element; null until its elements are known, and for any other unit. */
  itemCount: number | null
  status: NodeStatus
  progress: number
  outputs: Record<string, unknown> | null
  /** What an open gate asks. */
  request: Record<string, unknown> | null
  /** Of a skipped unit: set where something it needs failed, null where a branch was not taken. */
  error: string | null
  message: string | null
  credits: number
  durationSeconds: number
  checkpoint: Record<string, unknown> | null
  cacheKey: string | null
  attempts: number
  /** Generation of the run in which it came to this. From an earlier one, it holds only as long as its recipe does. */
  generation: number
  /** Of a node: what it and its items made in earlier generations waits to be looked at again. */
  stale: boolean
}

export const freshUnit = (name: UnitName, position: number | null = null): UnitState => ({
  ...name,
  position,
  itemCount: null,
  status: 'pending',
  progress: 0,
  outputs: null,
  request: null,
  error: null,
  message: null,
  credits: 0,
  durationSeconds: 0,
  checkpoint: null,
  cacheKey: null,
  attempts: 0,
  generation: 0,
  stale: false,
})

const over: ReadonlySet<NodeStatus> = new Set(['succeeded', 'cached', 'failed', 'skipped', 'cancelled'])
export const isOver = ({ status }: Pick<UnitState, 'status'>): boolean => over.has(status)
export const hasOutputs = ({ status }: Pick<UnitState, 'status'>): boolean =>
  status === 'succeeded' || status === 'cached'

/** A value with every file reduced to its digest: what it is called and where it lies makes no difference. */
export function withoutFileNames(value: unknown): unknown {
  if (isFileValue(value)) return { file: value.digest }
  if (Array.isArray(value)) return value.map(withoutFileNames)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutFileNames(member)]))
}

export const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value))

/** An element as an item: its hash, and its number among equal ones. A row inserted on top changes no other's name. */
export type Item = { item: string; occurrence: number }

export async function nameItems(elements: readonly unknown[]): Promise<Item[]> {
  const seen = new Map<string, number>()
  const items: Item[] = []
  for (const element of elements) {
    await turn()
    const hash = hashOf(withoutFileNames(element)).slice(0, 32)
    const occurrence = seen.get(hash) ?? 0
    seen.set(hash, occurrence + 1)
    items.push({ item: `${hash}.${occurrence}`, occurrence })
  }
  return items
}

/** The number that stands in an item's name. */
export const occurrenceOf = (item: string): number => Number(item.slice(item.lastIndexOf('.') + 1))

const worstFirst = ['pending', 'failed', 'cancelled', 'succeeded', 'cached', 'skipped'] as const

/** The status of a node by those of its items: an open question first, then work under way, then the worst. */
export function statusOf(statuses: readonly NodeStatus[]): NodeStatus {
  const present = new Set(statuses)
  if (present.has('awaiting_input')) return 'awaiting_input'
  if (present.has('running') || (present.has('pending') && present.size > 1)) return 'running'
  return worstFirst.find((status) => present.has(status)) ?? 'succeeded' // no elements, no items: nothing was left to do
}

/**
 * Units as they count in a generation: what holds of earlier ones was not paid for in this one, and what waits to be
 * looked at again is pending. `besides`: members of units that began in none.
 */
export function unitsOf<U extends UnitState>(generation: number, units: readonly U[], besides: Partial<U>): U[] {
  const stale = new Set(units.filter((unit) => unit.stale).map(({ node }) => node))
  return units.map((unit) => {
    if (unit.generation === generation || !hasOutputs(unit)) return unit
    const { node, item, position, itemCount } = unit
    if (stale.has(node)) return { ...unit, ...freshUnit({ node, item }, position), itemCount, ...besides }
    return { ...unit, status: 'cached', credits: 0, durationSeconds: 0, ...besides }
  })
}
