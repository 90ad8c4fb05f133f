// In charge of starting runs of one graph for many tasks, one run for each task. The number of SQL statements does not depend
// on the number of tasks.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { type Selectable, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { authorOf } from '../../platform/actor.ts'
import { tellChanged } from '../../platform/db.ts'
import type { GraphsTable, Stamp } from '../../platform/tables.ts'
import { refuseBroken, type Starting } from './start.ts'

type Source = Pick<Selectable<GraphsTable>, 'id' | 'definition' | 'signature'>
export type StartedRun = { taskId: string; runId: string }

/** `summary`: the summary of the first checkpoint in the history of each run. */
export type StartMany = { taskIds: readonly string[]; targets: readonly string[]; summary: string; now: Stamp }

/**
 * For each task, creates a queued run with its first checkpoint and a wake-up, as `createRun` with `execute` does, but without
 * reserving money: what it costs counts as the spending of its owner. Each run is pinned to its task, so that files exported by hand
 * are added to that task too. The caller has locked the graph and checked that it is not deleted. Throws if the graph's definition
 * cannot run.
 */
export async function startForTasks(
  { tx, queue, types, actor, ownerId }: Omit<Starting, 'find' | 'resultLimit' | 'currency' | 'clear'>,
  graph: Source,
  { taskIds, targets, summary, now }: StartMany,
): Promise<StartedRun[]> {
  const definition = readDefinition(graph.definition)
  const scope = neededFor(definition, targets)
  refuseBroken(graph, types, scope)
  const started = taskIds.map((taskId) => ({ taskId, runId: uuidv7() }))
  const runIds = started.map(({ runId }) => runId)
  // The definition is copied inside the database instead of being sent for each run: it may have megabytes, and there may be a
  // hundred tasks.
  await sql`
    insert into runs (id, graph_id, definition, ui_state, signature, forked_signature, for_variant, status, targets, task_id,
      pinned_task_id, owner_id, generation, lease, changes, revision, queued_at, checkpoint_at, created_at, updated_at)
    select x.run_id, g.id, g.definition, g.ui_state, g.signature, g.signature, 0, 'queued', ${[...targets]}::text[], x.task_id,
      x.task_id, ${ownerId}::uuid, 1, 1, 1, 2, x.at, x.at, x.at, x.at
    from graphs g, (select *, ${now}::timestamptz as at
      from unnest(${runIds}::uuid[], ${[...taskIds]}::uuid[]) as u (run_id, task_id)) as x
    where g.id = ${graph.id}`.execute(tx)
  tellChanged(tx, 'run', runIds)
  const { by_user, by_token } = authorOf(actor)
  await sql`
    insert into checkpoints (subject_id, at, begun_at, kind, summary, by_user, by_token, content)
    select r.id, r.checkpoint_at, r.checkpoint_at, 'created', ${summary}, ${by_user}::uuid, ${by_token}::uuid,
      json_build_object('generation', 0, 'definition', r.definition, 'ui_state', r.ui_state, 'targets', r.targets,
        'targets_prepared', cardinality(r.targets) > 0, 'status', 'draft',
        'error', null, 'rolls', '[]'::json, 'answers', '[]'::json)
    from runs r where r.id = any(${runIds}::uuid[])`.execute(tx)
  await sql`
    insert into run_states (run_id, node_id, item, status, generation, change)
    select r.id, n.id, '', 'pending', 1, 1
    from unnest(${runIds}::uuid[]) as r (id), unnest(${[...scope]}::text[]) as n (id)`.execute(tx)
  const digests = [...new Set(filesIn(graph.definition).map(({ digest }) => digest))]
  if (digests.length > 0) {
    await sql`
      insert into file_uses (digest, used_by, user_key)
      select f.digest, 'run', r.id::text from files f, unnest(${runIds}::uuid[]) as r (id)
      where f.digest = any(${digests}::text[]) for key share of f
      on conflict do nothing`.execute(tx)
  }
  await queue.send(
    tx,
    runIds.map((runId) => ({ runId, lease: 1 })),
  )
  return started
}
