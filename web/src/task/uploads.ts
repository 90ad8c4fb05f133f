// In charge of the uploads to tasks that are under way. They are no state of a component: an upload goes on, and is shown again, when
// its panel disappears and comes back.
import { useEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { tell } from '../ui/toasts.tsx'

/** For each upload, by its key, the share of 1 that has been sent. */
const underWay = createStore<ReadonlyMap<string, number>>(new Map())

/** The ids of the tasks whose creatives are shown. */
const shown = new Set<string>()

/** `place`: where the files go, such as a planned name; two uploads to one place would be in each other's way. */
type Place = { taskId: string; taskName: string; place: string }
/** Uploads files, and returns how many of them are on the task now. */
type Work = (onProgress: (share: number) => void) => Promise<number>

const keyOf = ({ taskId, place }: Pick<Place, 'taskId' | 'place'>): string => `${taskId} ${place}`

function note(key: string, share: number | null): void {
  const next = new Map(underWay.get())
  if (share === null) next.delete(key)
  else next.set(key, share)
  underWay.set(next)
}

/**
 * Uploads files to a place, and returns true. While an earlier upload to the same place is under way, it only says so in a message,
 * and returns false. If the creatives of the task are not shown at the end, another message says that the files are there.
 */
export async function upload(place: Place, work: Work): Promise<boolean> {
  const key = keyOf(place)
  if (underWay.get().has(key)) {
    tell('Earlier files are still being uploaded there. Add these once they are there.')
    return false
  }
  note(key, 0)
  try {
    const count = await work((share) => note(key, share))
    if (count > 0 && !shown.has(place.taskId))
      tell(`${count === 1 ? 'The file is' : `${count} files are`} on “${place.taskName}”`)
    return true
  } finally {
    note(key, null)
  }
}

/** Returns the share of 1 that has been sent to a place; null if no upload to it is under way. */
export const useUpload = (taskId: string, place: string): number | null =>
  useStore(underWay, (uploads) => uploads.get(keyOf({ taskId, place })) ?? null)

/** Tells that the creatives of a task are shown while the calling component is. */
export function useShown(taskId: string): void {
  useEffect(() => {
    shown.add(taskId)
    return () => {
      shown.delete(taskId)
    }
  }, [taskId])
}
