// In charge of what happens with files that a user chooses or drops in the creatives of a task.
import type { Task } from '@atelier/contract/tasks.ts'
import { useMemo } from 'react'
import type { Creative } from '../lib/types.ts'
import { upload } from './uploads.ts'
import type { CreativeActions } from './use-creatives.ts'

/** The places to which `upload` uploads. */
export const places = {
  nextNames: 'next names',
  planned: (name: string): string => `planned ${name}`,
  creative: (id: string): string => `creative ${id}`,
}

export type Uploads = {
  /** Adds one creative for each file, with the next planned names. */
  add: (files: File[]) => Promise<void>
  /** Adds the creative with this planned name for the first file, and then creatives with the next planned names for the others. */
  put: (name: string, files: File[]) => Promise<void>
  /** Gives a creative its file, or another one. */
  replace: (creative: Creative, file: File) => Promise<void>
}

export function useUploads(
  { id: taskId, name: taskName }: Pick<Task, 'id' | 'name'>,
  actions: CreativeActions,
): Uploads {
  return useMemo(() => {
    const task = { taskId, taskName }
    const add = async (files: File[]) => {
      await upload({ ...task, place: places.nextNames }, (onProgress) => actions.addFiles(files, onProgress))
    }
    return {
      add,
      put: async (name, [first, ...others]) => {
        if (!first) return
        const place = { ...task, place: places.planned(name) }
        const isDone = await upload(place, (onProgress) => actions.fill(name, first, onProgress))
        // Only now, since before the first file has its name, one of the others could get it.
        if (isDone && others.length > 0) await add(others)
      },
      replace: async (creative, file) => {
        const place = { ...task, place: places.creative(creative.id) }
        await upload(place, (onProgress) => actions.putFile(creative, file, onProgress))
      },
    }
  }, [taskId, taskName, actions])
}
