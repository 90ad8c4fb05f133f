// In charge of units, their states and names. A unit is a node, or one item of a node that runs once per element.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { turn } from './turns.ts'

/** `item` is empty for the node itself. */
export type UnitName = { node: string; item: string }

/** The key of a unit in maps. It is unique, because node ids contain no newline. */
export const unitKey = ({ node, item }: UnitName): string => `${node}\n${item}`

export type UnitState = UnitName & {
  /** Index of the item; null for a node. */
  position: number | null
  /** The number of items of a node that runs once per element; null until its elements are known, and for any other unit. */
  itemCount: number | null
  status: NodeStatus
  progress: number
  outputs: Record<string, unknown> | null
  /** The question of an open gate. */
  request: Record<string, unknown> | null
  /** For a skipped unit: an error if a unit it needs failed, null if its branch was not taken. */
  error: string | null
  message: string | null
  credits: number
  durationSeconds: number
  checkpoint: Record<string, unknown> | null
  cacheKey: string | null
  attempts: number
  /**
   * Generation of the run in which it got this status. A result of an earlier generation is valid only while its recipe is
   * unchanged.
   */
  generation: number
  /**
   * For a node: its results from earlier generations, and those of its items, have to be checked again before they are
   * valid.
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

/** A value with every file reduced to its digest, since a result does not depend on the name and location of a file. */
export function withoutFileNames(value: unknown): unknown {
  if (isFileValue(value)) return { file: value.digest }
  if (Array.isArray(value)) return value.map(withoutFileNames)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutFileNames(member)]))
}

export const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value))

/**
 * An item's name: the hash of its element, and its number among equal elements. Inserting a row at the top changes no
 * other name.
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

/** The number in an item's name, which distinguishes it from items of equal elements. */
export const occurrenceOf = (item: string): number => Number(item.slice(item.lastIndexOf('.') + 1))

const worstFirst = ['pending', 'failed', 'cancelled', 'succeeded', 'cached', 'skipped'] as const

/**
 * The status of a node from the statuses of its items: `awaiting_input` if any item waits, else `running`, else the
 * worst one.
 */
export function statusOf(statuses: readonly NodeStatus[]): NodeStatus {
  const present = new Set(statuses)
  if (present.has('awaiting_input')) return 'awaiting_input'
  if (present.has('running') || (present.has('pending') && present.size > 1)) return 'running'
  return worstFirst.find((status) => present.has(status)) ?? 'succeeded' // no elements, so no items: nothing had to be done
}

/**
 * Units as seen in the present generation. Valid results of earlier generations are cached, so they cost nothing in
 * this one; results that have to be checked again are pending. `besides`: members to set on units of earlier
 * generations.
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
