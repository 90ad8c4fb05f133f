// In charge of recording launches: locking the launched tasks, adding new launches, and updating tasks and creatives.
import type { CreativeLaunches, PackLaunches } from '@atelier/contract/launches.ts'
import { invalidAt } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Actor } from '../../../platform/actor.ts'
import { takeNames } from '../../../platform/advisory-locks.ts'
import { type Db, Retry } from '../../../platform/db.ts'
import { echo } from '../../../platform/error-list.ts'
import { isUuid } from '../../../platform/ids.ts'
import { insertActivity } from '../../activity/store.ts'
import { lockTasks } from '../store.ts'
import { mostCreatives } from './lookup-store.ts'
import {
  adoptLaunches,
  applyLaunches,
  creativesNamed,
  insertLaunches,
  type LaunchEntry,
  liveCreativesOf,
  lockUnclaimed,
  type NamedCreative,
} from './store.ts'

const instant = (at: string | null | undefined): string | null => (at ? new Date(at).toISOString() : null)

/**
 * Records launches of creatives, which are given by name. If no creative has the name, the launch waits until a creative gets it.
 */
export async function recordCreativeLaunches(tx: Db, { launches }: CreativeLaunches, actor: Actor) {
  const creatives = await lockNamed(tx, [...new Set(launches.map(({ name }) => name))])
  await adoptAwaited(tx, [...creatives.values()])
  const entries = launches.map(({ name, ad_id, launched_at }): LaunchEntry => {
    const creative = creatives.get(name)
    return { name, ad_id, launched_at: instant(launched_at), creative_id: creative?.id ?? null, task_id: null }
  })
  const recorded = await insertLaunches(tx, actor, entries)
  const touched = entries.flatMap(({ name }, place) => (recorded[place] ? (creatives.get(name ?? '') ?? []) : []))
  await settleLaunches(
    tx,
    actor,
    touched.map(({ id, task_id }) => ({ taskId: task_id, subjectId: id })),
  )
  return entries.map(({ name, ad_id, creative_id }, place) => ({ name, ad_id, creative_id, recorded: recorded[place] }))
}

/**
 * Returns the creatives with these names, by name. Until the transaction ends, nobody else can rename or delete them, since their
 * tasks are locked, or give another creative one of the names that none has. No task is locked after a name: `claimLaunches` locks
 * names while it has its task.
 */
async function lockNamed(tx: Db, names: readonly string[]): Promise<Map<string, NamedCreative>> {
  const locked = new Set((await lockTasks(tx, tasksOf(await creativesNamed(tx, names)))).map(({ id }) => id))
  // Read again, now that the tasks are locked.
  const creatives = new Map<string, NamedCreative>()
  const look = async (asked: readonly string[]): Promise<void> => {
    for (const creative of await creativesNamed(tx, asked)) {
      if (!locked.has(creative.task_id)) throw new Retry('a name went to another task meanwhile')
      creatives.set(creative.name, creative)
    }
  }
  await look(names)
  const nobodys = names.filter((name) => !creatives.has(name))
  if (nobodys.length === 0) return creatives
  await takeNames(tx, nobodys)
  await lockUnclaimed(tx)
  await look(nobodys)
  return creatives
}

/**
 * Gives waiting launches to creatives that have their names already, before a launch is recorded: one that is sent again would
 * otherwise count as new, with a later date. Only processes of an earlier version leave launches like this (see adopt.ts).
 */
async function adoptAwaited(tx: Db, creatives: readonly NamedCreative[]): Promise<void> {
  const taskIds = tasksOf(creatives.filter(({ is_awaited }) => is_awaited))
  if (taskIds.length > 0 && (await adoptLaunches(tx, taskIds))) await applyLaunches(tx, taskIds)
}

const tasksOf = (creatives: { task_id: string }[]): string[] => [...new Set(creatives.map(({ task_id }) => task_id))]

/**
 * Records launches of packs. A launch of a pack counts as a launch of every creative of its task. The response names the creatives
 * of every entry, so a request whose response would be too large is refused. A request with one entry is never refused for that.
 */
export async function recordPackLaunches(tx: Db, { launches }: PackLaunches, actor: Actor) {
  const asked = [...new Set(launches.map(({ task_id }) => task_id.toLowerCase()).filter(isUuid))]
  const known = (await lockTasks(tx, asked)).filter(({ in_retention }) => in_retention)
  const ids = new Set(known.map(({ id }) => id))
  const creatives = await liveCreativesOf(tx, [...ids])
  const entries = launches.map(({ task_id, ad_id, launched_at }) => ({
    task_id: task_id.toLowerCase(),
    ad_id,
    launched_at: instant(launched_at),
    creative_id: null,
    name: null,
  }))
  const named = entries.reduce((sum, { task_id }) => sum + (creatives.get(task_id)?.length ?? 0), 0)
  if (entries.length > 1 && named > mostCreatives) {
    const why = `the creatives of these entries are more than ${mostCreatives} together; send fewer entries at a time`
    throw invalidAt(['body', 'launches'], valueError(why), echo(launches))
  }
  const toKnown = entries.filter(({ task_id }) => ids.has(task_id))
  const added = await insertLaunches(tx, actor, toKnown)
  const recorded = new Set(toKnown.filter((_, place) => added[place]))
  await settleLaunches(
    tx,
    actor,
    [...recorded].map(({ task_id }) => ({ taskId: task_id, subjectId: null })),
  )
  return entries.map((entry, place) => ({
    // The id as the request has it, which may be in capital letters.
    task_id: launches[place]?.task_id,
    ad_id: entry.ad_id,
    creative_ids: creatives.get(entry.task_id) ?? [],
    recorded: recorded.has(entry),
  }))
}

type Touched = { taskId: string; subjectId: string | null }

async function settleLaunches(tx: Db, actor: Actor, touched: Touched[]): Promise<void> {
  if (touched.length === 0) return
  await applyLaunches(tx, [...new Set(touched.map(({ taskId }) => taskId))])
  await insertActivity(
    tx,
    actor,
    touched.map(({ taskId, subjectId }) => ({
      task_id: taskId,
      kind: 'launch_recorded',
      ...(subjectId === null ? {} : { subject_id: subjectId }),
    })),
  )
}
