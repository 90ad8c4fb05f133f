// In charge of the progress of a node of a run, without its outputs: one summary for a node, however many items it has.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { hasOutputs } from './units.ts'

export type UnfinishedItem = { item: string; position: number }

export type NodeSummary = {
  /** The status of the node's own unit; meaningless for a node that runs once per element. */
  status: NodeStatus
  /** The number of elements; null until they are known, and for a node that does not run once per element. */
  itemCount: number | null
  /** Whether the node's results have to be checked again before they are valid. */
  stale: boolean
  /** The number of items that are stored. */
  items: number
  /** The items without a result. */
  open: UnfinishedItem[]
}

/** Whether the node has all its outputs. */
export const hasAllOutputs = ({ status, itemCount, items, open }: NodeSummary): boolean =>
  itemCount === null ? hasOutputs({ status }) : items === itemCount && open.length === 0
