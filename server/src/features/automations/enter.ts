// In charge of starting automations when tasks enter a status: deciding which automations apply, starting their runs, and showing
// the outcome on the cards. All of this happens in the transaction that moves the tasks. If an automation cannot start, the tasks
// are moved all the same.
import { automationScopes } from '@atelier/contract/enums.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import type { RunQueue } from '../../engine/store/queue.ts'
import { startForTasks } from '../../engine/transitions/start-many.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { whyOf } from '../../platform/why-refused.ts'
import { insertActivity } from '../activity/store.ts'
import { shareGraph } from '../graphs/store.ts'
import { readRuleGroup, selectTasks, type Vocabularies } from '../tasks/feed/store.ts'
import type { Entering } from '../tasks/store.ts'
import { checkNodes } from './check.ts'
import { notStarted, tooLate } from './ending.ts'
import { deleteLive, insertLive, readBusy, setNotStarted } from './live-store.ts'
import { type AutomationRow, enabledFor, readOwner } from './store.ts'

export type Automating = {
  queue: RunQueue
  types: NodeTypes
  vocabularies: Vocabularies
  timeoutSeconds: number
}

/**
 * Starts the automations of a status for the tasks that have entered the status. A task has at most one automation at a time: if
 * several apply to it, only the oldest of those that can start is started. Returns whether the status has any enabled automation.
 */
export const automationsOn =
  (automating: Automating): Entering =>
  async (tx, taskIds, status, actor) => {
    const enabled = await enabledFor(tx, status)
    for (const automation of enabled) await enter(automating, tx, automation, taskIds, actor)
    return enabled.length > 0
  }

async function enter(
  automating: Automating,
  tx: Db,
  automation: AutomationRow,
  taskIds: readonly string[],
  actor: Actor,
): Promise<void> {
  const { name, query } = automation
  const filter = readRuleGroup(query, automating.vocabularies)
  // A filter that can no longer be parsed might have matched any of these tasks, so all their cards report the problem.
  const matching = 'errors' in filter ? [...taskIds] : await selectTasks(tx, taskIds, filter.group)
  if (matching.length === 0) return
  const free = await passBusy(automating, tx, automation, matching, actor)
  if (free.length === 0) return
  const error =
    'errors' in filter ? whyOf(new Invalid(filter.errors)) : await begin(automating, tx, automation, free, actor)
  if (error === null) return
  const told = notStarted(name, error)
  await setNotStarted(tx, free, told)
  await insertActivity(
    tx,
    actor,
    free.map((task_id) => ({ task_id, kind: 'automation_skipped', changes: said({ automation: name, reason: told }) })),
  )
}

/**
 * Returns those of the tasks for which an automation may start now. The activity of all other tasks records which automation is
 * already at work on them. An overdue automation does not count as at work: it is removed, the activity records that it failed, and
 * its task is among those returned. It stays removed even if no other automation can start.
 */
async function passBusy(
  { timeoutSeconds }: Automating,
  tx: Db,
  { name }: AutomationRow,
  taskIds: readonly string[],
  actor: Actor,
): Promise<string[]> {
  const busy = await readBusy(tx, taskIds, timeoutSeconds)
  const [dead, alive] = [busy.filter((one) => one.dead), busy.filter((one) => !one.dead)]
  for (const one of dead) {
    const owner = await readOwner(tx, one.owner_id)
    const ended = { state: 'failed', error: tooLate(one.name, timeoutSeconds) }
    await insertActivity(tx, { ...(owner ?? actor), automation: one.name }, [
      { task_id: one.task_id, kind: 'automation_ended', subject_id: one.run_id, changes: said(ended) },
    ])
  }
  await deleteLive(
    tx,
    dead.map(({ task_id }) => task_id),
  )
  await insertActivity(
    tx,
    actor,
    alive.map((one) => ({
      task_id: one.task_id,
      kind: 'automation_skipped',
      subject_id: one.run_id,
      changes: said({ automation: name, reason: `“${one.name}” is at work on this task.` }),
    })),
  )
  const taken = new Set(alive.map(({ task_id }) => task_id))
  return taskIds.filter((id) => !taken.has(id))
}

/** Starts the runs of an automation. Returns null, or the reason why the runs cannot be started. */
async function begin(
  { queue, types }: Automating,
  tx: Db,
  automation: AutomationRow,
  taskIds: readonly string[],
  actor: Actor,
): Promise<string | null> {
  const { name, owner_id, targets } = automation
  const owner = await readOwner(tx, owner_id)
  if (!owner || !mayAct(owner)) return noOwner
  const graph = await shareGraph(tx, automation.graph_id)
  if (!graph || graph.deleted_at !== null) {
    return 'Its graph is deleted: restore the graph, or have an admin choose another for the automation.'
  }
  try {
    checkNodes(graph, automation)
    const starting = { tx, queue, types, actor: { ...owner, automation: name }, ownerId: owner_id }
    const many = { taskIds, targets, summary: `Started by the automation “${name}”`, now: graph.now }
    const started = await startForTasks(starting, graph, many)
    await insertLive(tx, automation, started, graph.now)
    await insertActivity(
      tx,
      actor,
      started.map(({ taskId, runId }) => ({
        task_id: taskId,
        kind: 'automation_started',
        subject_id: runId,
        changes: said({ automation: name }),
      })),
    )
    return null
  } catch (error) {
    if (error instanceof Invalid || error instanceof Refusal) return whyOf(error)
    throw error
  }
}

export const mayAct = ({ scopes }: Actor): boolean => automationScopes.every((scope) => scopes.has(scope))

export const noOwner =
  'Whoever it acts for may not write runs and tasks (any more): have an admin save the automation, and it acts for that admin.'

/** Builds the `changes` of an activity entry from the new values of its members. The old value of each member is null. */
export const said = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([member, to]) => [member, { from: null, to }]))
