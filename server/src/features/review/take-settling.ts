// In charge of ending the takes of reviews once their runs have ended. Many processes may execute `settleTakes` at the same time.
// If a process is killed before it has ended a take, the take stays under way, and another process ends it later.
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { type LockedRun, lockRun } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import { type Database, type Db, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { pagesOf } from '../../platform/pages.ts'
import { whyOf } from '../../platform/why-refused.ts'
import { insertActivity } from '../activity/store.ts'
import { lockCreative } from '../tasks/creatives/store.ts'
import { lockTask } from '../tasks/store.ts'
import { noteTake } from './notices.ts'
import { addVersion, type DueTake, findTake, readDueTakes, setTake, type TakeRow, versionOfFile } from './take-store.ts'
import type { File } from './takes.ts'

/** Gets a file of a locked run, with its provenance. Throws a refusal if the run no longer has that file. */
type Bring = (tx: Db, run: LockedRun, actor: Actor) => Promise<{ file: string; provenance: object }>

/** Prepares a file of a run for a card. Called outside any transaction. The wiring passes this function in. */
type PrepareTake = (runId: string, taskId: string, file: File) => Promise<Bring>

/** Points in the code at which tests kill the process. */
export type TakePoint = 'take-ready' | 'take-proposed'

type Settling = { database: Database; log: Log; prepare: PrepareTake; crash: (point: TakePoint) => void }

const batch = 100

/** Tries each take once, so that those that cannot be ended at the moment do not keep the others. */
export async function settleTakes(settling: Settling): Promise<void> {
  const { database, log } = settling
  const read = (last?: DueTake) => readDueTakes(database.main, batch, last)
  for await (const due of pagesOf(batch, read)) {
    for (const take of due) {
      try {
        await end(settling, take)
      } catch (error) {
        if (isUnavailable(error)) throw error
        log.error(
          { err: error, take: take.id, run: take.run_id },
          'a take was not brought to its end; it is tried again',
        )
      }
    }
  }
}

async function end({ database, prepare, crash }: Settling, due: DueTake): Promise<void> {
  // Files are taken from failed runs too: a run fails if any of its items fails, but the requested item may have succeeded.
  const isOver = due.status === 'succeeded' || due.status === 'failed'
  const bring = due.run_id !== null && isOver ? await prepare(due.run_id, due.task_id, due) : null
  crash('take-ready')
  try {
    await database.tx(async (tx) => {
      await endIn(tx, due, bring, null)
      crash('take-proposed')
    })
  } catch (error) {
    if (!(error instanceof Invalid || error instanceof Refusal)) throw error
    if (error instanceof Refusal && error.code === 'overloaded') throw error
    await database.tx((tx) => endIn(tx, due, bring, whyOf(error)))
  }
}

/**
 * Ends a take. `refused` is null in the first attempt; in the second attempt it says why the first one got no file from the run.
 */
async function endIn(tx: Db, due: DueTake, bring: Bring | null, refused: string | null): Promise<void> {
  const run = due.run_id === null ? undefined : await lockRun(tx, due.run_id)
  const task = await lockTask(tx, due.task_id)
  const creative = await lockCreative(tx, due.creative_id)
  const take = await findTake(tx, due.id)
  if (!task || !creative || take?.state !== 'under_way') return
  const actor = actorOf(take)
  const standing = standingOf(run)
  if (standing.kind === 'goes_on') return
  const over = { ended_at: task.now }
  let error = standing.kind === 'over' ? standing.why : refused === null ? null : (run?.error ?? refused)
  let version: number | null = null
  if (error === null && run && bring) {
    const made = await bring(tx, run, actor)
    const same = await versionOfFile(tx, creative.id, made.file)
    if (same === undefined) version = await addVersion(tx, { creative_id: creative.id, ...made, ...authorOfTake(take) })
    else error = `It gave the same picture as version ${same}.`
  }
  if (version === null && error === null) return
  await setTake(
    tx,
    take,
    error === null ? { state: 'proposed', version, ...over } : { state: 'failed', error, ...over },
  )
  const to = error === null ? { version } : { error }
  const changes = Object.fromEntries(Object.entries(to).map(([member, value]) => [member, { from: null, to: value }]))
  await insertActivity(tx, actor, [{ task_id: task.id, kind: 'review_take_ended', subject_id: creative.id, changes }])
  await noteTake(tx, take, { taskId: task.id, kind: error === null ? 'take_proposed' : 'take_failed' })
}

type Standing = { kind: 'goes_on' } | { kind: 'over'; why: string } | { kind: 'brings' }

/** Decides from the state of a take's run whether the take goes on, is over without a file, or gets a file from the run. */
function standingOf(run: LockedRun | undefined): Standing {
  if (!run) return { kind: 'over', why: 'Its run is gone.' }
  if (run.deleted_at !== null) return { kind: 'over', why: 'Its run was deleted.' }
  if (run.status === 'cancelled') return { kind: 'over', why: 'Its run was cancelled.' }
  if (run.status === 'draft') return { kind: 'over', why: 'Its run was changed before it ended.' }
  return run.status === 'succeeded' || run.status === 'failed' ? { kind: 'brings' } : { kind: 'goes_on' }
}

const authorOfTake = ({ by_user, by_token }: TakeRow) => ({ by_user, by_token })

/** Returns the author of a take as an actor without scopes: the author's rights were checked when the take was requested. */
const actorOf = ({ by_user, by_token }: TakeRow): Actor => ({
  ...{ tokenId: by_token, userId: by_user, role: null, name: null },
  scopes: new Set(),
})
