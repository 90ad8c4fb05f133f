// In charge of creating a run from a graph: the run gets a copy of the graph's definition and layout, and may belong to a
// task.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { RunCreate, RunStart } from '@atelier/contract/runs.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db.ts'
import type { GraphsTable } from '../../platform/tables.ts'
import { signatureOf } from '../model/signature.ts'
import { forVariant } from '../model/variant.ts'
import { copyMarks } from '../store/marks.ts'
import { insertRun, type LockedRun, lockRun } from '../store/runs.ts'
import { useFiles } from '../store/unit-store.ts'
import { writeRunCheckpoint } from './history.ts'
import { type Starting, startRun } from './start.ts'
import { seedProblems, unknownNodes } from './start-problems.ts'

type Source = Pick<Selectable<GraphsTable>, 'id' | 'name' | 'definition' | 'ui_state' | 'signature' | 'deleted_at'>

/** Creates a run of a graph that the caller has locked, and starts it if requested. Returns the run's id. */
export async function createRun(starting: Starting, graph: Source, asked: RunCreate, now: string): Promise<string> {
  const { tx, actor, ownerId } = starting
  if (graph.deleted_at !== null) {
    throw new Refusal('graph_deleted', `The graph “${graph.name}” is deleted; restore it before you make runs of it.`)
  }
  const targets = asked.targets ?? []
  const problems = [
    ...unknownNodes(targets, readDefinition(graph.definition), ['body', 'targets']),
    ...(await seedProblems(tx, asked.from_run)),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  const id = uuidv7()
  const { variation_num = null } = asked
  const definition = variation_num === null ? graph.definition : forVariant(graph.definition, variation_num)
  await insertRun(tx, {
    id,
    graph_id: graph.id,
    definition,
    ui_state: graph.ui_state,
    signature: definition === graph.definition ? graph.signature : signatureOf(definition),
    forked_signature: graph.signature,
    for_variant: variation_num ?? 0,
    targets,
    targets_prepared: targets.length > 0,
    seed_run_id: asked.from_run ?? null,
    pinned_task_id: asked.pinned_task_id ?? null,
    copied_from: null,
    task_id: asked.task_id ?? null,
    owner_id: ownerId,
    now,
  })
  if (asked.from_run) await copyMarks(tx, asked.from_run, id)
  await useFiles(
    tx,
    'run',
    id,
    filesIn(graph.definition).map(({ digest }) => digest),
  )
  const run = await lockNew(tx, id)
  await writeRunCheckpoint(tx, run, { kind: 'created', summary: 'Created from its graph', actor, at: run.created_at })
  if (asked.execute) await startRun(starting, await lockNew(tx, id), maxCostOf(asked))
  return id
}

/** The start request for a run that is created and started in one request: it has only the cost limit. */
const maxCostOf = ({ max_cost }: RunCreate): RunStart => (max_cost === undefined ? {} : { max_cost })

async function lockNew(tx: Db, id: string): Promise<LockedRun> {
  const run = await lockRun(tx, id)
  if (!run) throw new Error(`The run ${id} was not made.`)
  return run
}
