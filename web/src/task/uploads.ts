// In charge of the uploads to tasks that are under way. They are no state of a component: an upload goes on, and is shown again, when
// its panel disappears and comes back.
import { useEffect } from 'react'
import { askBeforeClosing } from '../lib/ask-before-closing.ts'
import { createStore, useStore } from '../lib/store.ts'
import { createSend, type Send, type Sending } from '../lib/upload.ts'
import { tell } from '../ui/toasts.tsx'

/** For each upload, by its key, how far it is. */
const underWay = createStore<ReadonlyMap<string, Sending>>(new Map())

/** The ids of the tasks whose creatives are shown. */
const shown = new Set<string>()

/** The places to which `upload` uploads. */
export const places = {
  nextNames: 'next names',
  planned: (name: string): string => `planned ${name}`,
  creative: (id: string): string => `creative ${id}`,
}

/** `place`: where the files go, such as a planned name; two uploads to one place would be in each other's way. */
type Place = { taskId: string; taskName: string; place: string }
/** Uploads files with `send`, the first of them at once, and returns how many of them are on the task now. */
type Work = (send: Send) => Promise<number>

const keyOf = ({ taskId, place }: Pick<Place, 'taskId' | 'place'>): string => `${taskId} ${place}`

function note(key: string, sending: Sending | null): void {
  const next = new Map(underWay.get())
  if (sending === null) next.delete(key)
  else next.set(key, sending)
  underWay.set(next)
}

/** Lists names of files in a message. */
export const quoted = (files: readonly File[]): string => files.map(({ name }) => `“${name}”`).join(', ')

/**
 * Uploads one file to a place, and returns how many of `files` are on the task then. While an earlier upload to the same place is
 * under way, it only says so in a message that names all of `files`, and returns null. If the creatives of the task are not shown at
 * the end, another message says that the file is there.
 */
export async function upload(place: Place, files: readonly File[], work: Work): Promise<number | null> {
  if (!underWay.get().has(keyOf(place))) return askBeforeClosing(() => run(place, 1, work))
  tell(`Earlier files are still being uploaded there. Add these once they are there: ${quoted(files)}`)
  return null
}

/** `files`: how many files the work uploads. */
async function run(place: Place, files: number, work: Work): Promise<number> {
  const key = keyOf(place)
  try {
    const count = await work(createSend(files, (sending) => note(key, sending)))
    if (count > 0 && !shown.has(place.taskId))
      tell(`${count === 1 ? 'The file is' : `${count} files are`} on “${place.taskName}”`)
    return count
  } finally {
    note(key, null)
  }
}

/** The last upload of each task that gives next planned names, while it waits or is under way. */
const lastNext = new Map<string, Promise<number>>()

/** Like `upload` to the next planned names, but begins when all earlier uploads to these have ended, instead of being refused. */
export async function uploadInTurn(task: Omit<Place, 'place'>, files: number, work: Work): Promise<number> {
  const { taskId } = task
  const earlier = lastNext.get(taskId)
  const mine = askBeforeClosing(async () => {
    await earlier?.catch(() => undefined) // whoever has called for the earlier upload deals with its errors
    return run({ ...task, place: places.nextNames }, files, work)
  })
  lastNext.set(taskId, mine)
  try {
    return await mine
  } finally {
    if (lastNext.get(taskId) === mine) lastNext.delete(taskId)
  }
}

/**
 * Resolves when no file is being uploaded for one planned name of the task: until then, that name may look free, and is not. Fails at
 * once if `cancelled` is aborted.
 */
export function chosenNamesGiven(taskId: string, cancelled: AbortSignal): Promise<void> {
  const chosen = keyOf({ taskId, place: places.planned('') })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => {
    if (![...underWay.get().keys()].some((key) => key.startsWith(chosen))) resolve()
  }
  const leave = underWay.subscribe(look)
  cancelled.addEventListener('abort', () => reject(cancelled.reason))
  look()
  return promise.finally(leave)
}

/** Returns how far the upload to a place is; null if none is under way. */
export const useUpload = (taskId: string, place: string): Sending | null =>
  useStore(underWay, (uploads) => uploads.get(keyOf({ taskId, place })) ?? null)

/** Cancels all files of the upload to a place, if one is under way. */
export const cancelUpload = (taskId: string, place: string): void =>
  underWay.get().get(keyOf({ taskId, place }))?.cancelAll()

/** Tells that the creatives of a task are shown while the calling component is. */
export function useShown(taskId: string): void {
  useEffect(() => {
    shown.add(taskId)
    return () => {
      shown.delete(taskId)
    }
  }, [taskId])
}
