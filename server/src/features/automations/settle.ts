// In charge of updating cards from the runs of their automations, and of delivering files and moving tasks when such a run ends.
// `settleAutomations` is called every few seconds, and at once when a run has changed. Many processes may execute it at the same
// time: one transaction writes the files, the move and the end of an automation, so each of the three is written exactly once.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { RunExport } from '@atelier/contract/exports.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { type LockedRun, lockRun } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import { type Database, type Db, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { pagesOf } from '../../platform/pages.ts'
import { whyOf } from '../../platform/why-refused.ts'
import { insertActivity } from '../activity/store.ts'
import { type LockedTask, lockTask } from '../tasks/store.ts'
import { decideEnding, notDelivered, notMoved } from './ending.ts'
import { mayAct, noOwner, said } from './enter.ts'
import { type EndedAutomation, endLive, followRuns, type LiveAutomation, readEnded, readLive } from './live-store.ts'
import { readOwner } from './store.ts'

/** The functions that put files on cards and move tasks when the run of an automation has ended. The wiring passes them in. */
export type Acts = {
  /**
   * Prepares files of a run for a card. Called outside any transaction; the function that it returns puts the files on the card.
   */
  prepare(runId: string, taskId: string, outputs: RunExport['outputs']): Promise<Put>
  /**
   * Moves a locked task that is not deleted. The move starts no automation, so that automations cannot trigger each other forever.
   */
  move(tx: Db, task: LockedTask, to: TaskStatus, actor: Actor): Promise<void>
}

/** Puts files of a locked run on the card of a locked task that is not deleted, as `POST /runs/{id}/export` does. */
type Put = (tx: Db, run: LockedRun, task: LockedTask, outputs: RunExport['outputs'], actor: Actor) => Promise<void>

export type Settling = {
  database: Database
  log: Log
  acts: Acts
  timeoutSeconds: number
}

const batch = 100

/** Tries each automation once, so that those that cannot be ended at the moment do not keep the others. */
export async function settleAutomations(settling: Settling): Promise<void> {
  const { database, log, timeoutSeconds } = settling
  await database.tx(followRuns)
  const read = (last?: EndedAutomation) => readEnded(database.main, timeoutSeconds, batch, last)
  for await (const found of pagesOf(batch, read)) {
    for (const { task_id, run_id } of found) {
      try {
        await end(settling, task_id, run_id)
      } catch (error) {
        if (isUnavailable(error)) throw error
        const what = { err: error, task: task_id, run: run_id }
        log.error(what, 'an automation was not brought to its end; it is tried again')
      }
    }
  }
}

/**
 * Ends the automation of a run, if the run has ended or is overdue. If the first attempt is refused, a second attempt leaves out
 * the refused part (the move, or both files and move), and shows the error on the card.
 */
async function end(settling: Settling, taskId: string, runId: string): Promise<void> {
  const { database, acts } = settling
  const ends = { taskId, runId }
  const outputs = (await readLive(database.main, taskId, runId))?.outputs ?? []
  const put = await acts.prepare(runId, taskId, outputs)
  try {
    await database.tx((tx) => endIn(settling, tx, { ...ends, put, refused: null }))
  } catch (error) {
    if (!(error instanceof Invalid || error instanceof Refusal) || isOverload(error)) throw error
    // If the move is refused because labels are missing, the files are put on the card all the same: people set the labels there.
    const part = error instanceof Refusal && error.code === 'label_missing' ? 'move' : 'all'
    await database.tx((tx) => endIn(settling, tx, { ...ends, put, refused: { part, why: whyOf(error) } }))
  }
}

/**
 * `refused` is null in the first attempt. In the second one it says why the first was refused, and which part is now left out:
 * only the move of the task (`move`), or the files and the move (`all`).
 */
type Ends = { taskId: string; runId: string; put: Put; refused: { part: 'all' | 'move'; why: string } | null }

const isOverload = (error: Error): boolean => error instanceof Refusal && error.code === 'overloaded'

/**
 * Ends the automation, all in one transaction. Locks the run before the task. An export locks in the same order, so that it cannot
 * deadlock with this transaction.
 */
async function endIn({ acts, timeoutSeconds }: Settling, tx: Db, { taskId, runId, put, refused }: Ends): Promise<void> {
  const run = await lockRun(tx, runId)
  const task = await lockTask(tx, taskId)
  const live = await readLive(tx, taskId, runId)
  if (!task || !live) return
  const ending = decideEnding(live.name, run, task, timeoutSeconds)
  if (ending.kind === 'goes_on') return
  const owner = await readOwner(tx, live.owner_id)
  let error = ending.kind === 'failed' ? ending.error : null
  if (ending.kind === 'deliver' && refused?.part === 'all') error = notDelivered(live.name, refused.why)
  else if (ending.kind === 'deliver' && run) {
    await deliver(acts, tx, { run, task, live, owner, put, moves: refused === null })
    if (refused) error = notMoved(live.name, refused.why)
  }
  await endLive(tx, taskId, error === null ? 'succeeded' : 'failed', error)
  await insertActivity(tx, { ...(owner ?? nobody), automation: live.name }, [
    {
      task_id: taskId,
      kind: 'automation_ended',
      subject_id: runId,
      changes: said(error === null ? { state: 'succeeded' } : { state: 'failed', error }),
    },
  ])
}

type Delivery = {
  run: LockedRun
  task: LockedTask
  live: LiveAutomation
  owner: Actor | undefined
  put: Put
  moves: boolean
}

async function deliver(acts: Acts, tx: Db, { run, task, live, owner, put, moves }: Delivery): Promise<void> {
  if (task.deleted_at !== null) {
    throw new Refusal('task_deleted', `The task ${task.number} was deleted meanwhile: restore it.`)
  }
  if (!owner || !mayAct(owner)) throw new Refusal('not_owner', noOwner)
  const actor = { ...owner, automation: live.name }
  if (live.outputs.length > 0) await put(tx, run, task, live.outputs, actor)
  const stands = task.status_entered_at === live.entered_at
  if (moves && live.to_status !== null && stands) await acts.move(tx, task, live.to_status, actor)
}

/** The actor to record if the access of the automation's owner has ended: the activity entry then names only the automation. */
const nobody: Actor = { tokenId: null, userId: null, role: null, name: null, scopes: new Set() }
