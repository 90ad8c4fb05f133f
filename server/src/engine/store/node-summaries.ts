// In charge of the SQL that reads summaries of a run's nodes. The result has one row for each node, however many items the
// node has.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { NodeSummary } from '../model/node-summary.ts'

/** Node id → the node's summary. */
export async function readSummaries(db: Db, runId: string): Promise<Map<string, NodeSummary>> {
  const { rows } = await sql<NodeSummary & { node: string }>`
    select node_id as node, max(status) filter (where item = '') as status, max(item_count) as "itemCount",
      bool_or(stale) as stale, (count(*) filter (where item <> ''))::int as items,
      coalesce(json_agg(json_build_object('item', item, 'position', position))
        filter (where item <> '' and status not in ('succeeded', 'cached')), '[]'::json) as open
    from run_states where run_id = ${runId} group by node_id`.execute(db)
  return new Map(rows.map(({ node, ...summary }) => [node, summary]))
}
