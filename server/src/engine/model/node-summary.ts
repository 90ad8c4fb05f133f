// In charge of the progress of a node of a run, without its outputs: one summary for a node, however many items it has.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { hasOutputs } from './units.ts'

export type UnfinishedItem = { item: string; position: number }

export type NodeSummary = {
  /** Of the node itself; meaningless for a node that runs once per element. */
  status: NodeStatus
  /** Null until its elements are known, and for a node that runs once. */
  itemCount: number | null
  /** Its results have to be checked again before they count. */
  stale: boolean
  /** How many items exist. */
  items: number
  /** Items without a result. */
  open: UnfinishedItem[]
}

/** Whether the node has all its outputs. */
export const hasAllOutputs = ({ status, itemCount, items, open }: NodeSummary): boolean =>
  itemCount === null ? hasOutputs({ status }) : items === itemCount && open.length === 0
