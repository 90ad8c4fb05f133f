// In charge of reading the covers of tasks and the pictures of creatives when they become visible, and of reading them again when
// the service reports a change.
import type { Cover } from '@atelier/contract/files.ts'
import { call } from './api.ts'
import { createGathered, isGood } from './gathered.ts'
import { listenLive } from './live-connection.ts'

/** Whether a cover can still be shown. Null, which means that there is no picture, never expires. */
const holds = (cover: Cover | null): boolean => cover === null || isGood(cover)

const found = (ids: readonly string[], covers: readonly Cover[], idOf: (cover: Cover) => string) => {
  const byId = new Map(covers.map((cover) => [idOf(cover), cover]))
  return new Map(ids.map((id) => [id, byId.get(id) ?? null]))
}

const ofTasks = createGathered<Cover | null>({
  most: 100,
  ask: async (ids) =>
    found(ids, await call('creativeCovers', { body: { task_ids: [...ids] } }), ({ task_id }) => task_id),
  holds,
})
const ofCreatives = createGathered<Cover | null>({
  most: 100,
  ask: async (ids) =>
    found(ids, await call('creativeCovers', { body: { creative_ids: [...ids] } }), ({ creative_id }) => creative_id),
  holds,
})

/** The cover of a task; null if the task has no cover, and undefined until the service has responded. */
export const useTaskCover = ofTasks.useOne
/** The picture of a creative; null if the creative has no picture, and undefined until the service has responded. */
export const useCreativeCover = ofCreatives.useOne

listenLive((told) => {
  if (told === 'missed') {
    ofTasks.forget(() => true)
    ofCreatives.forget(() => true)
    return
  }
  const changed = new Set(told.map(({ kind, id }) => `${kind} ${id}`))
  ofTasks.forget((id) => changed.has(`task ${id}`))
  ofCreatives.forget((id) => changed.has(`creative ${id}`))
})
