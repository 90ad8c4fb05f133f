// In charge of promoting a run: the graph's owner replaces the graph's definition with the definition of the run.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { signatureOf } from '../../engine/model/signature.ts'
import { forVariant, variantIn } from '../../engine/model/variant.ts'
import { checkpointAt } from '../../engine/store/checkpoints.ts'
import { lockRun, type RunRow } from '../../engine/store/runs.ts'
import { refuseBroken } from '../../engine/transitions/start.ts'
import type { Db } from '../../platform/db.ts'
import { etagOf } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import type { Services } from '../../platform/services.ts'
import { decideChange } from './changes.ts'
import { refuseDeleted, refuseOthers } from './owner.ts'
import { readContent } from './snapshot.ts'
import { type LockedGraph, lockGraph, saveGraph, toWire } from './store.ts'

export function bindPromote(bind: Bind, { nodeTypes }: Services): void {
  bind(routes.promoteRun, async ({ db, params: { run_id }, actor, requireMatch }) => {
    const run = await lockRun(db, run_id)
    if (!run?.in_retention) throw notFound('run', run_id)
    const graph = run.graph_id === null ? undefined : await lockGraph(db, run.graph_id)
    if (!graph?.in_retention) {
      throw new Refusal('graph_deleted', 'The graph of this run is gone; make a new graph of its definition.')
    }
    refuseOthers(actor, graph)
    requireMatch(graph.revision)
    if (runRefuses.promote(run)) throw new Refusal('run_deleted', `The run ${run_id} is deleted; undelete it first.`)
    refuseDeleted(graph)
    refuseBroken(run, nodeTypes.wire)
    const moved = graph.signature !== run.signature && (await hasChangedSince(db, graph, run))
    // The graph keeps its own variant, since the variant in the run's definition is meant only for the run's card.
    const definition = forVariant(run.definition, variantIn(graph.definition))
    const change = decideChange(graph, { definition, ui_state: run.ui_state })
    const reason = { kind: 'promoted', summary: `promoted from the run ${run.id}` }
    const saved = change ? await saveGraph(db, graph, change, actor, reason) : graph
    return { data: toWire(saved), etag: etagOf(saved.revision), message: moved ? movedMessage : null }
  })
}

/**
 * Whether the graph’s definition is another one than when the run was made. For a fork of a run, `forked_signature` is that of
 * the forked run, so the history of the graph is asked.
 */
async function hasChangedSince(db: Db, graph: LockedGraph, run: RunRow): Promise<boolean> {
  if (graph.signature === run.forked_signature) return false
  if (run.copied_from === null) return true
  const then = await checkpointAt(db, graph, run.created_at)
  return then === undefined || signatureOf(readContent(then.content).definition) !== graph.signature
}

const movedMessage =
  'The graph had changed since this run was made of it. What was there is in the history of the graph, if it is to come back.'
