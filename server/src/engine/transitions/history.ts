// In charge of writing the checkpoints of runs, and of restoring a run from one.
//
// The document of a checkpoint contains members of the run's row, the rolls and the answers; the run's units are copied into
// separate rows. An incremental checkpoint stores only what has changed since the checkpoint before it: units that were saved
// since then, and members of the document that differ. A checkpoint is full if it is the first one, if units were deleted
// since the one before it, or if all incremental checkpoints since the last full one would together contain at least as many
// units as that one. A restore therefore reads fewer than twice as many units as the last full checkpoint contains, and each
// member of the document once. A member that differs is stored whole: each checkpoint after a re-roll contains all rolls.
import type { RunStatus } from '@atelier/contract/enums.ts'
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { Actor } from '../../platform/actor.ts'
import { sha256Hex } from '../../platform/canonical-json.ts'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import type { Answered, Roll } from '../model/marks.ts'
import { signatureOf } from '../model/signature.ts'
import { type UnitState, unitKey, unitsOf } from '../model/units.ts'
import { type Checkpoint, contentsOf, newestManifest, readMembers, writeCheckpoint } from '../store/checkpoints.ts'
import { countUnits, type KeptAt, keepUnits, readKeptUnits, restoreUnits } from '../store/kept-units.ts'
import { deleteMarks, readAnswers, readRolls, setAnswer, setRolls } from '../store/marks.ts'
import { recordStarter } from '../store/run-costs.ts'
import { type LockedRun, lockRun, type RunRow, updateRun, updateRunInternal } from '../store/runs.ts'
import { keepRolledTakes } from '../store/takes.ts'
import { deleteAllUnits, readStatuses, saveUnits } from '../store/unit-store.ts'
import { columnsFor } from './states.ts'

/** Members of the document that seldom change: an incremental checkpoint leaves out those that have not changed. */
type Parts = {
  definition: Record<string, unknown>
  ui_state: Record<string, unknown>
  rolls: Roll[]
  answers: Answered[]
}

/**
 * Everything that a restore writes. `units`: the checkpoint whose rows contain the units. If an earlier version of Atelier wrote
 * the checkpoint, `targets_prepared` is absent, and its document may contain the units: `units` is then an array of them.
 */
export type RunContent = Parts & {
  targets: string[]
  targets_prepared?: boolean
  status: RunStatus
  error: string | null
  units: UnitState[] | KeptAt
}

/**
 * The document of a checkpoint. `generation`: that of the run when the checkpoint was written; results of earlier generations
 * count as cached. `units`: only in documents that earlier versions of Atelier wrote.
 */
type CheckpointDocument = Omit<RunContent, keyof Parts | 'units'> &
  Partial<Parts> & { generation: number; units?: UnitState[] }

type Manifest = {
  /** The run's count of saves when the checkpoint was written: the checkpoint covers all units that were saved until then. */
  saves: number
  /**
   * `full`: the number of units in the last full checkpoint; `since`: the number of units in all incremental checkpoints after
   * it, including this one. `parts`: the digest of each member of `Parts`.
   */
  full: number
  since: number
  parts: Record<keyof Parts, string>
}

/**
 * False for a manifest that an earlier version of Atelier wrote. The document of that checkpoint contains the units, so no
 * incremental checkpoint can be based on it.
 */
const isManifest = (manifest: unknown): manifest is Manifest =>
  isPlainObject(manifest) && typeof manifest.saves === 'number' && isPlainObject(manifest.parts)

export type NewRunCheckpoint = { kind: string; summary: string; actor: Actor | null; layoutOnly?: boolean; at?: Stamp }

/**
 * Writes a checkpoint of the run as the given row describes it, with the run's stored units, rolls and answers. Stores the
 * checkpoint's `at` in the run's row, and returns it.
 */
export async function writeRunCheckpoint(tx: Db, run: RunRow, given: NewRunCheckpoint): Promise<Stamp> {
  const before = await newestManifest(tx, run.id)
  const manifest = before && isManifest(before.manifest) ? before.manifest : null
  const canAdd = manifest !== null && run.last_deletion <= manifest.saves && manifest.since < manifest.full
  const changed = canAdd ? await countUnits(tx, run.id, manifest.saves) : 0
  const isIncremental = canAdd && manifest.since + changed < manifest.full
  const { definition, ui_state, targets, targets_prepared, status, error, generation } = run
  const parts = { definition, ui_state, rolls: await readRolls(tx, run.id), answers: await readAnswers(tx, run.id) }
  const seen = {
    definition: digestOf(parts.definition),
    ui_state: digestOf(parts.ui_state),
    rolls: digestOf(parts.rolls),
    answers: digestOf(parts.answers),
  }
  const kept: CheckpointDocument = {
    generation,
    targets,
    targets_prepared,
    status,
    error,
    ...(isIncremental ? changedParts(parts, seen, manifest) : parts),
  }
  const at = await writeCheckpoint(tx, {
    subjectId: run.id,
    lastAt: run.checkpoint_at,
    content: kept,
    fullAt: isIncremental && before ? (before.full_at ?? before.at) : null,
    manifest: {
      saves: run.changes,
      full: isIncremental ? manifest.full : await countUnits(tx, run.id, all),
      since: isIncremental ? manifest.since + changed : 0,
      parts: seen,
    } satisfies Manifest,
    ...given,
  })
  await keepUnits(tx, run.id, at, isIncremental ? manifest.saves : all)
  await updateRunInternal(tx, run.id, { checkpoint_at: at })
  return at
}

/**
 * Writes a checkpoint of a locked run whose definition is about to change, unless there is one of the present state already: an
 * edit deletes results and open questions, which a run that waits for an answer, or was only prepared for its next start, has in no
 * checkpoint yet. Does nothing if the run has no results.
 */
export async function keepBeforeEdit(tx: Db, run: LockedRun, actor: Actor): Promise<void> {
  const newest = await newestManifest(tx, run.id)
  const manifest = newest && isManifest(newest.manifest) ? newest.manifest : null
  // `last_edit`: each edit writes a checkpoint, also one of the layout, which `newestManifest` skips.
  if (manifest?.saves === run.changes || run.last_edit === run.changes) return
  const units = await readStatuses(tx, run.id)
  if (units.every(({ status }) => status === 'pending')) return
  await writeRunCheckpoint(tx, run, { kind: 'left', summary: 'As it stood before an edit', actor })
}

/** A count of saves below every real one: all units of a run were saved after it. */
const all = -1

const digestOf = (part: unknown): string => sha256Hex(JSON.stringify(part))

function changedParts(parts: Parts, seen: Manifest['parts'], before: Manifest): Partial<Parts> {
  const { definition, ui_state, rolls, answers } = parts
  return {
    ...(seen.definition === before.parts.definition ? {} : { definition }),
    ...(seen.ui_state === before.parts.ui_state ? {} : { ui_state }),
    ...(seen.rolls === before.parts.rolls ? {} : { rolls }),
    ...(seen.answers === before.parts.answers ? {} : { answers }),
  }
}

/** The content of a run at a checkpoint; an incremental one is completed from the checkpoints that it is based on. */
export async function readContentAt(db: Db, runId: string, checkpoint: Checkpoint): Promise<RunContent> {
  const { at, full_at: fullAt, manifest } = checkpoint
  if (!isManifest(manifest)) return readWithoutManifest(db, runId, checkpoint)
  const { generation, ...own } = readKept(checkpoint.content)
  const parts = fullAt === null ? {} : await readMembers(db, runId, checkpoint, manifest.parts)
  const content = { ...own, ...parts }
  if (!isFull(content)) throw notFull(runId)
  return { ...content, units: { runId, at, fullAt, generation } }
}

/**
 * The content of a run at a checkpoint without a manifest of ours: an earlier version of Atelier wrote it, with the units in the
 * document, or `startForTasks` did, before there were any units.
 */
async function readWithoutManifest(db: Db, runId: string, checkpoint: Checkpoint): Promise<RunContent> {
  const [first, ...later] = (await contentsOf(db, runId, checkpoint)).map(readKept)
  if (!first || !isFull(first)) throw notFull(runId)
  let last = first
  for (const kept of later) last = { ...last, ...kept }
  const { generation, ...content } = last
  const units = [first, ...later].flatMap((kept) => kept.units ?? [])
  const newest = new Map(units.map((unit) => [unitKey(unit), unit]))
  return { ...content, units: unitsOf(generation, [...newest.values()], {}) }
}

const notFull = (runId: string): Error =>
  new Error(`The history of the run ${runId} does not begin with a full checkpoint.`)

/**
 * The units of a checkpoint. If their outputs exceed `limit` bytes in total, the units are returned without outputs and
 * `isWhole` is false. `bytes`: the size of the outputs; 0 if an earlier version of Atelier wrote the checkpoint, which then is
 * always returned whole.
 */
export async function readShown(
  db: Db,
  { units }: Pick<RunContent, 'units'>,
  limit: number,
): Promise<{ units: UnitState[]; bytes: number; isWhole: boolean }> {
  if (Array.isArray(units)) return { units, bytes: 0, isWhole: true }
  const kept = await readKeptUnits(db, units, limit)
  return { ...kept, units: unitsOf(units.generation, kept.units, {}) }
}

const isFull = <T extends Partial<Parts>>(kept: T): kept is T & Parts =>
  kept.definition !== undefined && kept.ui_state !== undefined && kept.rolls !== undefined && kept.answers !== undefined

function readKept(content: unknown): CheckpointDocument {
  if (isKept(content)) return content
  throw new Error('A checkpoint of a run holds something else than a run.')
}

/**
 * Whether a checkpoint's document is that of a run. Only Atelier writes documents, so it is enough to look for `targets`, which
 * the document of a graph lacks, and to check the type of `units`.
 */
const isKept = (content: unknown): content is CheckpointDocument =>
  isPlainObject(content) && Array.isArray(content.targets) && ['array', 'undefined'].includes(kindOf(content.units))

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/**
 * Writes a checkpoint of a run's present state, restores an earlier state, and writes a checkpoint of the restored state too.
 * The run's generation and lease increase, so that a worker that still has the run cannot write to it any more. Spent credits
 * stay spent. If the restored run waits at a gate, an answer continues it without a start, so that the actor is recorded as the
 * one who pays; `currency` is that of the list of models.
 */
export async function restoreRun(
  tx: Db,
  run: LockedRun,
  content: RunContent,
  { actor, at, currency }: { actor: Actor; at: Stamp; currency: string },
): Promise<void> {
  await writeRunCheckpoint(tx, run, { kind: 'left', summary: 'As it stood before a restore', actor })
  await keepRolledTakes(tx, run.id)
  await deleteAllUnits(tx, run.id)
  await deleteMarks(tx, run.id)
  const changes = run.changes + 1
  const mark = { change: changes, generation: run.generation + 1 }
  if (Array.isArray(content.units)) await saveUnits(tx, run.id, content.units, mark)
  else await restoreUnits(tx, content.units, mark)
  await setRolls(tx, run.id, content.rolls)
  for (const answer of content.answers) await setAnswer(tx, run.id, answer)
  const changed = {
    ...columnsFor.rewind(run, content),
    definition: JSON.stringify(content.definition),
    ui_state: JSON.stringify(content.ui_state),
    signature: signatureOf(content.definition),
  }
  await updateRun(tx, run.id, changed, run.now)
  const restored = await lockRun(tx, run.id)
  if (!restored) throw new Error(`The run ${run.id} is gone while it is locked.`)
  const personId = actor.userId ?? actor.tokenId
  if (restored.status === 'awaiting_input' && personId !== null)
    await recordStarter(tx, restored, { personId, currency, maxCost: null })
  await writeRunCheckpoint(tx, restored, { kind: 'restored', summary: `Restored as it stood at ${at}`, actor })
}
