// In charge of the HTTP routes of graphs: listing, reading, creating, changing, deleting, restoring, forking and handing over
// graphs, and the history of a graph.
import { forkName } from '@atelier/contract/names.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { describeIssues, refuseTooLarge } from '../../engine/model/issues.ts'
import { checkpointAt, listCheckpoints } from '../../engine/store/checkpoints.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, etagOf } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { decideChange } from './changes.ts'
import { lockFound, lockOwn, lockToRestore, refuseDeleted, refuseOthers } from './owner.ts'
import { readContent } from './snapshot.ts'
import {
  canOwn,
  type GraphRow,
  handOver,
  insertGraph,
  isActivePerson,
  listGraphs,
  ownerOf,
  readGraph,
  saveGraph,
  setDeleted,
  toWire,
} from './store.ts'

export function bindGraphs(bind: Bind, services: Services): void {
  const { cursors, nodeTypes } = services
  const answer = answerer(services)

  bind(routes.listGraphs, async ({ db, query: { limit, cursor, ...filter } }) =>
    listPage(
      {
        cursors,
        scope: `graphs/${JSON.stringify([filter.template, filter.search, filter.owner_id, filter.deleted])}`,
        query: { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) },
      },
      (after, take) => listGraphs(db, filter, { after, take }),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    ),
  )

  bind(routes.createGraph, async ({ db, body, actor }) => {
    refuseTooLarge(body)
    const { name, description = '', definition = noNodes(), ui_state = {}, template = false } = body
    const content = { name, description, definition, ui_state }
    const given = { content, template, ownerId: ownerOf(actor), forkedFrom: null }
    return answer(db, await insertGraph(db, given, actor, { kind: 'created', summary: 'created' }))
  })

  bind(routes.getGraph, async ({ db, params }) => answer(db, await readOrRefuse(db, params.graph_id)))

  bind(routes.patchGraph, async ({ db, params, body, actor, requireMatch }) => {
    refuseTooLarge(body)
    const graph = await lockOwn(db, params.graph_id, actor)
    requireMatch(graph.revision)
    refuseDeleted(graph)
    const change = decideChange(graph, body)
    return answer(db, change ? await saveGraph(db, graph, change, actor, change.reason) : graph)
  })

  bind(routes.deleteGraph, async ({ db, params, actor, requireMatch }) => {
    const graph = await lockOwn(db, params.graph_id, actor)
    requireMatch(graph.revision)
    return answer(db, graph.deleted_at === null ? await setDeleted(db, graph, graph.now) : graph)
  })

  bind(routes.restoreGraph, async ({ db, params, actor, requireMatch }) => {
    const graph = await lockToRestore(db, params.graph_id, actor)
    requireMatch(graph.revision)
    return answer(db, graph.deleted_at === null ? graph : await setDeleted(db, graph, null))
  })

  bind(routes.forkGraph, async ({ db, params, body, actor }) => {
    const graph = await readOrRefuse(db, params.graph_id)
    refuseDeleted(graph)
    const { description, definition, ui_state } = graph
    const name = body?.name ?? (graph.template ? graph.name : forkName(graph.name, 'copy'))
    const content = { name, description, definition, ui_state }
    const given = { content, template: false, ownerId: ownerOf(actor), forkedFrom: graph.id }
    return answer(db, await insertGraph(db, given, actor, { kind: 'forked', summary: `forked from “${graph.name}”` }))
  })

  bind(routes.listNodeTypes, async () => ({ data: { items: [...nodeTypes.wire.values()] } }))

  bind(routes.handOverGraphs, async ({ db, params: { user_id }, body: { to } }) => {
    if (!(isUuid(to) && (await isActivePerson(db, to)))) throw invalid('there is no active person with this id', to)
    if (!(await canOwn(db, user_id))) throw notFound('person', user_id)
    if (user_id.toLowerCase() === to.toLowerCase()) throw invalid('the graphs are this person’s already', to)
    return { data: { handed_over: await handOver(db, user_id, to) } }
  })
}

/** Binds the routes for a graph's history: listing it, reading an earlier version, and restoring that version. */
export function bindGraphHistory(bind: Bind, services: Services): void {
  const { cursors } = services
  const answer = answerer(services)

  bind(routes.listGraphHistory, async ({ db, params, query }) => {
    const { id } = await readOrRefuse(db, params.graph_id)
    return listPage(
      { cursors, scope: `history/${id}`, query },
      (after, take) => listCheckpoints(db, id, after?.key ?? null, take),
      { text: ({ text }) => text, position: ({ at }) => ({ key: at, id }) },
    )
  })

  bind(routes.readGraphCheckpoint, async ({ db, params, query }) => {
    const graph = await readOrRefuse(db, params.graph_id)
    const checkpoint = await checkpointAt(db, graph, new Date(query.at).toISOString())
    if (!checkpoint) throw new Refusal('no_checkpoint', `The history of this graph does not reach back to ${query.at}.`)
    return { data: { at: checkpoint.at, kind: checkpoint.kind, ...readContent(checkpoint.content) } }
  })

  bind(routes.restoreGraphHistory, async ({ db, params, body, actor, requireMatch }) => {
    const graph = await lockFound(db, params.graph_id)
    const checkpoint = await checkpointAt(db, graph, new Date(body.at).toISOString())
    if (!checkpoint) throw new Refusal('no_checkpoint', `The history of this graph does not reach back to ${body.at}.`)
    refuseOthers(actor, graph)
    requireMatch(graph.revision)
    refuseDeleted(graph)
    const change = decideChange(graph, readContent(checkpoint.content))
    const reason = { kind: 'restored', summary: `as it stood at ${checkpoint.at}` }
    return answer(db, change ? await saveGraph(db, graph, change, actor, reason) : graph)
  })
}

/**
 * Returns a function that builds the response for one graph, with the issues that prevent the graph from running. `volatile`: the
 * issues depend on files, node types and the date too, so they can change while the graph keeps its revision and its ETag.
 */
const answerer =
  ({ nodeTypes }: Services) =>
  async (db: Db, graph: GraphRow): Promise<Answer> => ({
    data: toWire(graph),
    etag: etagOf(graph.revision),
    volatile: true,
    ...(await describeIssues(db, graph, nodeTypes.wire)),
  })

async function readOrRefuse(db: Db, id: string): Promise<GraphRow> {
  const graph = await readGraph(db, id)
  if (!graph) throw notFound('graph', id)
  return graph
}

const noNodes = (): Record<string, unknown> => ({ schema: 1, nodes: {}, edges: [] })

const invalid = (why: string, input: unknown) => invalidAt(['body', 'to'], valueError(why), input)
