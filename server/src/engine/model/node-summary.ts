// In charge of the summary of a node's progress in a run. It contains no outputs, and a node has one summary however many
// items it has.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { hasOutputs } from './units.ts'

export type UnfinishedItem = { item: string; position: number }

export type NodeSummary = {
  /** The status of the node's own unit. It means nothing for a node that runs once per element. */
  status: NodeStatus
  /** The number of elements; null until they are known, and for a node that does not run once per element. */
  itemCount: number | null
  /** Whether the node's results have to be checked again before they are valid. */
  stale: boolean
  /** How many of the node's items are stored in the database. */
  items: number
  /** The stored items that have no result. */
  open: UnfinishedItem[]
}

/** Whether the node has the outputs of all its units. */
export const hasAllOutputs = ({ status, itemCount, items, open }: NodeSummary): boolean =>
  itemCount === null ? hasOutputs({ status }) : items === itemCount && open.length === 0
