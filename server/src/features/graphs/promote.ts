// In charge of the routes that promote a run, and that plan it: the graph's owner replaces the graph's definition with the run's.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { lockRun, seeRun } from '../../engine/store/runs.ts'
import { refuseBroken } from '../../engine/transitions/start.ts'
import { etagOf } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import type { Services } from '../../platform/services.ts'
import { decideChange } from './changes.ts'
import { refuseDeleted, refuseOthers } from './owner.ts'
import { promotionOf } from './promotion.ts'
import { lockGraph, readGraph, saveGraph, toWire } from './store.ts'

export function bindPromote(bind: Bind, { nodeTypes }: Services): void {
  bind(routes.promoteRun, async ({ db, params: { run_id }, actor, requireMatch }) => {
    const run = await lockRun(db, run_id)
    if (!run?.in_retention) throw notFound('run', run_id)
    const graph = run.graph_id === null ? undefined : await lockGraph(db, run.graph_id)
    if (!graph?.in_retention) throw graphGone()
    refuseOthers(actor, graph)
    requireMatch(graph.revision)
    if (runRefuses.promote(run)) throw new Refusal('run_deleted', `The run ${run_id} is deleted; undelete it first.`)
    refuseDeleted(graph)
    refuseBroken(run, nodeTypes.wire)
    const { definition, graphChanged } = await promotionOf(db, graph, run)
    const change = decideChange(graph, { definition, ui_state: run.ui_state })
    const reason = { kind: 'promoted', summary: `promoted from the run ${run.id}` }
    const saved = change ? await saveGraph(db, graph, change, actor, reason) : graph
    return { data: toWire(saved), etag: etagOf(saved.revision), message: graphChanged ? changedMessage : null }
  })

  bind(routes.planPromote, async ({ db, params: { run_id } }) => {
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    const graph = run.graph_id === null ? undefined : await readGraph(db, run.graph_id)
    if (!graph) throw graphGone()
    const { definition, graphChanged } = await promotionOf(db, graph, run)
    return { data: { definition, graph_changed: graphChanged } }
  })
}

const graphGone = () =>
  new Refusal('graph_deleted', 'The graph of this run is gone; make a new graph of its definition.')

const changedMessage =
  'The graph had changed since this run was made of it. What was there is in the history of the graph, if it is to come back.'
