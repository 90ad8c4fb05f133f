// In charge of what nobody told: runs whose worker is gone, cancels that were not heeded, wake-ups that were lost.
import { sql } from 'kysely'
import { hasWakeup } from '../store/queue.ts'
import { lockLost, lockUnstoppable } from '../store/runs.ts'
import { bringToRest, cancelledEnding, handBack } from '../transitions/rest.ts'
import type { Engine } from './engine.ts'

const batch = 50

/** So many workers lost in a row, with nothing saved between, and the run is what kills them. */
export const deathLimit = 3

/** Periodic, input-free, idempotent; any number of processes may do it at once. */
export async function sweep(engine: Engine): Promise<void> {
  await recoverLost(engine)
  await endUnstoppable(engine)
  await resend(engine)
}

/** For a process that has the database to itself and has just started: whoever had a run is gone. */
export const recoverAll = (engine: Engine): Promise<void> =>
  recoverLost({ ...engine, timing: { ...engine.timing, lost: 0 } })

async function recoverLost({ database, queue, timing }: Engine): Promise<void> {
  await database.tx(async (tx) => {
    const lost = await lockLost(tx, timing.lost, batch)
    for (const run of lost) {
      const deaths = run.deaths + 1
      if (run.cancel_requested_at !== null) await bringToRest(tx, run, cancelledEnding)
      else if (deaths < deathLimit) await handBack(tx, queue, run, deaths)
      else await bringToRest(tx, run, { status: 'failed', error: poisoned })
    }
  })
}

const poisoned = `The run was given up: ${deathLimit} workers in a row were lost while they had it. Look at what its nodes are given (very large files or lists), then start it again.`

async function endUnstoppable({ database, timing }: Engine): Promise<void> {
  await database.tx(async (tx) => {
    const deaf = await lockUnstoppable(tx, timing.cancel, batch)
    for (const run of deaf) await bringToRest(tx, run, cancelledEnding)
  })
}

/** A queued run always has a live wake-up for its lease, or gets one here. */
async function resend({ database, queue, timing }: Engine): Promise<void> {
  await database.tx(async (tx) => {
    await queue.dropTaken(tx, timing.resend)
    const { rows } = await sql<{ id: string; lease: number }>`
      select r.id, r.lease from runs r
      where r.status = 'queued' and r.queued_at < now() - make_interval(secs => ${timing.resend}) and not ${hasWakeup}
      order by r.queued_at limit ${batch * 10}`.execute(tx)
    await queue.send(
      tx,
      rows.map(({ id, lease }) => ({ runId: id, lease })),
    )
  })
}
