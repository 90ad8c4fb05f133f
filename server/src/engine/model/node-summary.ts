// In charge of where a node of a run stands, without anything it made: one summary for a node, however many items it has.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { hasOutputs } from './units.ts'

export type UnfinishedItem = { item: string; position: number }

export type NodeSummary = {
  /** Of the node itself; of one that runs once per element it says nothing. */
  status: NodeStatus
  /** Null until its elements are known, and for a node that runs once. */
  itemCount: number | null
  /** What it made waits to be looked at again. */
  stale: boolean
  /** Items there are. */
  items: number
  /** Items that have no result. */
  open: UnfinishedItem[]
}

/** Whether everything the node is to make is there. */
export const hasAllOutputs = ({ status, itemCount, items, open }: NodeSummary): boolean =>
  itemCount === null ? hasOutputs({ status }) : items === itemCount && open.length === 0
