// In charge of restricting changes to a graph's owner: nobody else may change the graph, not even an admin.
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { goneOrUnknown, retentionOver } from '../../platform/retention.ts'
import { type GraphRow, type LockedGraph, lockGraph } from './store.ts'

export function refuseOthers(actor: Actor, graph: Pick<GraphRow, 'owner_id'>): void {
  if (graph.owner_id === (actor.userId ?? actor.tokenId)) return
  throw new Refusal(
    'not_owner',
    'This graph belongs to somebody else. Fork it (POST /graphs/{id}/fork) to change yours.',
  )
}

export function refuseDeleted(graph: Pick<GraphRow, 'deleted_at' | 'name'>): void {
  if (graph.deleted_at === null) return
  throw new Refusal('graph_deleted', `The graph “${graph.name}” is deleted; restore it before you go on.`)
}

/** Locks a graph that the caller owns. A graph that was deleted longer ago than the retention window is treated as missing. */
export async function lockOwn(tx: Db, id: string, actor: Actor): Promise<LockedGraph> {
  const graph = await lockFound(tx, id)
  refuseOthers(actor, graph)
  return graph
}

/** Locks a graph that can be read. */
export async function lockFound(tx: Db, id: string): Promise<LockedGraph> {
  const graph = await lockGraph(tx, id)
  if (!graph?.in_retention) throw notFound('graph', id)
  return graph
}

/** Locks a deleted graph for a restore. If the retention window is over, the error says so, even if the graph has been purged. */
export async function lockToRestore(tx: Db, id: string, actor: Actor): Promise<LockedGraph> {
  const graph = await lockGraph(tx, id)
  if (!graph) {
    throw await goneOrUnknown(tx, 'graph', id)
  }
  if (!graph.in_retention) throw retentionOver('graph')
  refuseOthers(actor, graph)
  return graph
}
