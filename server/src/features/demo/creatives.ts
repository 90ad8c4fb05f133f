// In charge of the demo's creatives. They are written by the same SQL functions as all other creatives. But rollups and counters
// are computed only once, after the last creative: seeding took twice as long when they were computed after each creative.
import { nextCreativeName } from '@atelier/contract/names.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import { tellChanged } from '../../platform/db.ts'
import { insertActivity } from '../activity/store.ts'
import { insertCreative, rollUp, updateCreative } from '../tasks/creatives/store.ts'
import { type LockedTask, refreshCounts } from '../tasks/store.ts'
import { type DemoCreative, found, type Stage } from './stage.ts'
import type { CreativeKey, DemoTask, Making } from './story.ts'

/**
 * Adds creatives to a locked task. A creative gets the next canonical name of its variant, or, if `named_like` is set, the name of
 * the creative with that key.
 */
export async function makeCreatives(
  { tx, config, products, creatives }: Stage,
  story: DemoTask,
  task: LockedTask,
  makings: readonly Making[],
  actor: Actor,
): Promise<void> {
  const input = { ...task, product: products[story.product].code }
  const made = ofStory(creatives, story)
  for (const making of makings) {
    const { variant, tags, named_like } = typeof making === 'object' && making !== null ? making : { variant: making }
    const taken = (candidate: string) => made.some(({ name }) => name === candidate)
    const name = named_like
      ? found(creatives, named_like).name
      : nextCreativeName(config.nameTemplate, input, variant, taken)
    const id = uuidv7()
    await insertCreative(tx, {
      id,
      task_id: task.id,
      name,
      variation_num: variant,
      own_tags: tags ?? null,
      file: null,
      completed: false,
      assignee_id: actor.userId,
      task_owner_id: task.task_owner_id,
      in_work_at: task.status === 'in_progress' ? task.now : null,
      now: task.now,
    })
    made.push({ id, name })
    creatives.set(`${story.key}/${made.length}`, { id, name })
  }
  const added = made.slice(made.length - makings.length)
  await insertActivity(
    tx,
    actor,
    added.map(({ id, name }) => ({
      task_id: task.id,
      kind: 'creative_created',
      subject_id: id,
      changes: { name: { from: null, to: name } },
    })),
  )
}

/** Marks creatives of a locked task as completed. */
export async function finishCreatives(
  { tx }: Stage,
  task: LockedTask,
  finished: readonly DemoCreative[],
  actor: Actor,
): Promise<void> {
  for (const { id } of finished) await updateCreative(tx, id, { completed: true }, task.now)
  await insertActivity(
    tx,
    actor,
    finished.map(({ id }) => ({
      task_id: task.id,
      kind: 'creative_changed',
      subject_id: id,
      changes: { completed: { from: false, to: true } },
    })),
  )
}

/** Computes the rollups and counters of all demo tasks. Each creative that is done gets one of the ads of its task as its file. */
export async function settleCreatives({ tx, tasks, creatives, ads }: Stage): Promise<void> {
  const ids = [...tasks.values()]
  await rollUp(tx, ids)
  const files = [...creatives].flatMap(([key, { id }]) => {
    const [story = '', place] = key.split('/')
    const kept = ads.get(story) ?? []
    const file = kept[(Number(place) - 1) % Math.max(1, kept.length)]
    return file === undefined ? [] : [{ id, file }]
  })
  await sql`
    update creatives c set file = x.file
    from unnest(${files.map(({ id }) => id)}::uuid[], ${files.map(({ file }) => file)}::text[]) as x (id, file)
    where c.id = x.id and c.done`.execute(tx)
  tellChanged(
    tx,
    'creative',
    files.map(({ id }) => id),
  )
  await refreshCounts(tx, ids)
}

/** Returns the creatives at these positions in a story. Positions count from 1, in the order in which creatives are created. */
export const creativesAt = ({ creatives }: Stage, { key }: DemoTask, places: readonly number[]): DemoCreative[] =>
  places.map((place) => found(creatives, `${key}/${place}`))

/** Returns all creatives that a story has created so far, in the order in which they were created. */
function ofStory(creatives: ReadonlyMap<CreativeKey, DemoCreative>, { key }: DemoTask): DemoCreative[] {
  return [...creatives].flatMap(([place, creative]) => (place.startsWith(`${key}/`) ? [creative] : []))
}
