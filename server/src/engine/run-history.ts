// In charge of the checkpoints of runs: what one holds, taking it, and putting a run back as it stood.

import { isPlainObject } from '@atelier/contract/definition.ts'
import type { RunStatus } from '@atelier/contract/enums.ts'
import type { Actor } from '../platform/actor.ts'
import type { Db } from '../platform/db.ts'
import type { Stamp } from '../platform/tables.ts'
import { writeCheckpoint } from './checkpoints.ts'
import type { LockedRun, RunRow } from './run-store.ts'
import { moveRun, updateRun } from './run-store.ts'
import { signatureOf } from './signature.ts'
import {
  type Answered,
  deleteAllUnits,
  deleteMarks,
  type Roll,
  readAnswers,
  readRolls,
  readUnits,
  saveUnits,
  setAnswer,
  setRolls,
} from './state-store.ts'
import { type UnitState, unitsOf } from './units.ts'

/** All that a restore brings back. */
export type RunContent = {
  definition: Record<string, unknown>
  ui_state: Record<string, unknown>
  targets: string[]
  status: RunStatus
  error: string | null
  units: UnitState[]
  rolls: Roll[]
  answers: Answered[]
}

/** How the run stands now. */
export async function readContent(tx: Db, run: RunRow): Promise<RunContent> {
  const { definition, ui_state, targets, status, error } = run
  const [units, rolls, answers] = [
    unitsOf(run.generation, await readUnits(tx, run.id), {}),
    await readRolls(tx, run.id),
    await readAnswers(tx, run.id),
  ]
  return { definition, ui_state, targets, status, error, units, rolls, answers }
}

export type RunCheckpoint = { kind: string; summary: string; actor: Actor | null; layoutOnly?: boolean }

/** Takes a checkpoint of the run as the given row says it stands; keeps its `at` with the run. */
export async function keepRun(tx: Db, run: RunRow, given: RunCheckpoint): Promise<Stamp> {
  const content = await readContent(tx, run)
  const at = await writeCheckpoint(tx, { subjectId: run.id, lastAt: run.checkpoint_at, content, ...given })
  await moveRun(tx, run.id, { checkpoint_at: at })
  return at
}

/** The content of a run as a checkpoint kept it. */
export function readContentOf(content: unknown): RunContent {
  if (isContent(content)) return content
  throw new Error('A checkpoint of a run holds something else than a run.')
}

/** We alone write checkpoints: a look at the members that tell a run's from a graph's is enough. */
const isContent = (content: unknown): content is RunContent =>
  isPlainObject(content) && ['units', 'rolls', 'answers', 'targets'].every((member) => Array.isArray(content[member]))

/** A run that was busy when its checkpoint was taken comes back as a draft: nobody executes it. */
const restingStatus = (status: RunStatus): RunStatus => (status === 'queued' || status === 'running' ? 'draft' : status)

/**
 * Puts a run back. Its generation and lease rise, so that nothing of what it is leaving writes to it; credits stay paid.
 * What it leaves is in its newest checkpoint already, unless it changed since: then it is taken now.
 */
export async function restoreRun(tx: Db, run: LockedRun, content: RunContent, actor: Actor, at: Stamp): Promise<void> {
  const left = await writeCheckpoint(tx, {
    subjectId: run.id,
    lastAt: run.checkpoint_at,
    kind: 'left',
    summary: 'As it stood before a restore',
    actor,
    content: await readContent(tx, run),
  })
  await deleteAllUnits(tx, run.id)
  await deleteMarks(tx, run.id)
  await saveUnits(tx, run.id, content.units, { change: run.changes + 1, generation: run.generation + 1 })
  await setRolls(tx, run.id, content.rolls)
  for (const answer of content.answers) await setAnswer(tx, run.id, answer)
  const status = restingStatus(content.status)
  const changed = {
    definition: JSON.stringify(content.definition),
    ui_state: JSON.stringify(content.ui_state),
    signature: signatureOf(content.definition),
    targets: content.targets,
    targets_prepared: status === 'draft',
    status,
    error: content.error,
    regenerate: [],
    generation: run.generation + 1,
    lease: run.lease + 1,
    changes: run.changes + 1,
    credits_consumed: 0,
    cancel_requested_at: null,
    produced_at: null,
  }
  await updateRun(tx, run.id, changed, run.now)
  const summary = `Restored as it stood at ${at}`
  const now = await writeCheckpoint(tx, {
    subjectId: run.id,
    lastAt: left,
    kind: 'restored',
    summary,
    actor,
    content: { ...content, status },
  })
  await moveRun(tx, run.id, { checkpoint_at: now })
}
