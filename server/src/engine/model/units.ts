// In charge of units, their states and names. A unit is a node, or one item of a node that runs once per element.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { turn } from './turns.ts'

/** `item`: the name of the item, as `nameItems` makes it; empty for the node itself. */
export type UnitName = { node: string; item: string }

/** The key of a unit in maps. It is unique, because node ids contain no newline. */
export const unitKey = ({ node, item }: UnitName): string => `${node}\n${item}`

export type UnitState = UnitName & {
  /** The item's index in the list that its node runs over; null for the node itself. */
  position: number | null
  /**
   * For the own unit of a node that runs once per element: the number of its items, null until its elements are known. Always
   * null for any other unit.
   */
  itemCount: number | null
  status: NodeStatus
  progress: number
  outputs: Record<string, unknown> | null
  /** The question that an open gate asks; null for any other unit. */
  request: Record<string, unknown> | null
  /**
   * For a failed unit: why it failed. For a unit that was skipped because an earlier unit failed: the error of that unit. Null
   * for any other unit, also for one that was skipped because its branch was not taken or because the run ended first.
   */
  error: string | null
  message: string | null
  credits: number
  durationSeconds: number
  checkpoint: Record<string, unknown> | null
  cacheKey: string | null
  attempts: number
  /**
   * The generation of the run in which this state was saved. A result of an earlier generation is valid only while a call of
   * the unit would now have the same cache key.
   */
  generation: number
  /**
   * For a node's own unit: whether the node's results of earlier generations, including those of its items, have to be
   * checked again before they count as valid.
   */
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

/** Returns the value with only the digest of each file, because a result does not depend on the names of files. */
export function withoutFileNames(value: unknown): unknown {
  if (isFileValue(value)) return { file: value.digest }
  if (Array.isArray(value)) return value.map(withoutFileNames)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutFileNames(member)]))
}

export const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value))

/**
 * Names the question of an open gate to clients, so that an answer can say which question was seen. It is made for every read of a
 * run. So it is the hash of the text as it is written into the response: `hashOf` sorts all members first, which took a second for a
 * question of 10 MB.
 */
export const questionHash = (request: unknown): string => sha256Hex(JSON.stringify(request))

/**
 * `item`: the item's name. It consists of the hash of the item's element and of `occurrence`, the item's number among items
 * with equal elements, from 0. It does not contain the index, so that a row inserted at the top of a list renames no item.
 */
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

/** Returns the `occurrence` in an item's name, which distinguishes items with equal elements. */
export const occurrenceOf = (item: string): number => Number(item.slice(item.lastIndexOf('.') + 1))

const worstFirst = ['pending', 'failed', 'cancelled', 'succeeded', 'cached', 'skipped'] as const

/**
 * The status of a node from the statuses of its items: `awaiting_input` if any item waits for an answer; else `running` if
 * any is running, or if only some are still pending; else the first status of `worstFirst` that any item has.
 */
export function statusOf(statuses: readonly NodeStatus[]): NodeStatus {
  const present = new Set(statuses)
  if (present.has('awaiting_input')) return 'awaiting_input'
  if (present.has('running') || (present.has('pending') && present.size > 1)) return 'running'
  return worstFirst.find((status) => present.has(status)) ?? 'succeeded' // no elements, so no items: nothing had to be done
}

/**
 * Units as the present generation sees them. A unit with a valid result of an earlier generation is shown as `cached` at no
 * cost, since this generation did not pay for it. If its node is stale, the unit is shown as pending, without the result.
 * `besides`: further members to set on the units that are shown in one of these two ways.
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
