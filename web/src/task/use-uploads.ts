// In charge of what happens with files that a user chooses or drops in the creatives of a task.
import type { Task } from '@atelier/contract/tasks.ts'
import { useMemo } from 'react'
import type { Creative } from '../lib/types.ts'
import { tell } from '../ui/toasts.tsx'
import { places, quoted, upload, uploadInTurn } from './uploads.ts'
import type { CreativeActions } from './use-creatives.ts'

export type Uploads = {
  /** Adds one creative for each file, with the next planned names, after those that were added earlier. */
  add: (files: File[]) => Promise<void>
  /**
   * Adds the creative with this planned name for the first file, and then creatives with the next planned names for the others. If the
   * first file is refused or cancelled, none is added.
   */
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
      await uploadInTurn(task, files.length, (send) => actions.addFiles(files, send))
    }
    return {
      add,
      put: async (name, files) => {
        const [first, ...others] = files
        if (!first) return
        const place = { ...task, place: places.planned(name) }
        const count = await upload(place, files, (send) => actions.fill(name, first, send))
        if (others.length === 0 || count === null) return
        // Without the first file, its name would be the next planned one, and one of the others would get it.
        if (count === 0) tell(`Not put on the task either: ${quoted(others)}`)
        else await add(others)
      },
      replace: async (creative, file) => {
        const place = { ...task, place: places.creative(creative.id) }
        await upload(place, [file], (send) => actions.putFile(creative, file, send))
      },
    }
  }, [taskId, taskName, actions])
}
