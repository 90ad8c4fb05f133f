// In charge of where the nodes of a run stand, read without anything they made: one row for a node, however many items.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { hasOutputs } from './units.ts'

export type OpenItem = { item: string; position: number }

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
  open: OpenItem[]
}

/** By node. */
export async function readSummaries(db: Db, runId: string): Promise<Map<string, NodeSummary>> {
  const { rows } = await sql<NodeSummary & { node: string }>`
    select node_id as node, max(status) filter (where item = '') as status, max(item_count) as "itemCount",
      bool_or(stale) as stale, (count(*) filter (where item <> ''))::int as items,
      coalesce(json_agg(json_build_object('item', item, 'position', position))
        filter (where item <> '' and status not in ('succeeded', 'cached')), '[]'::json) as open
    from run_states where run_id = ${runId} group by node_id`.execute(db)
  return new Map(rows.map(({ node, ...summary }) => [node, summary]))
}

/** Whether everything the node is to make is there. */
export const hasAllOutputs = ({ status, itemCount, items, open }: NodeSummary): boolean =>
  itemCount === null ? hasOutputs({ status }) : items === itemCount && open.length === 0
