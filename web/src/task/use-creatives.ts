// In charge of the actions on the creatives of a task: add, change, set a file, delete, restore.
import type { CreativeCreate, CreativePatch } from '@atelier/contract/creatives.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/api.ts'
import type { Creative } from '../lib/types.ts'
import { askBeforeClosing, uploadFile } from '../lib/upload.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'

export type CreativeActions = {
  add: () => Promise<void>
  /** Adds one creative for each file. Each creative gets the next planned name that no creative has yet. */
  addFiles: (files: readonly File[], onProgress: (share: number) => void) => Promise<void>
  /** Adds the creative with this planned name, and uploads its file. */
  fill: (name: string, file: File, onProgress: (share: number) => void) => Promise<void>
  putFile: (creative: Creative, file: File, onProgress: (share: number) => void) => Promise<void>
  change: (creative: Creative, patch: CreativePatch) => Promise<void>
  remove: (creative: Creative) => Promise<void>
}

export function useCreatives(taskId: string): CreativeActions {
  const client = useQueryClient()
  return useMemo(() => creativeActions(client, taskId), [client, taskId])
}

function creativeActions(client: QueryClient, taskId: string): CreativeActions {
  const refresh = () => {
    for (const key of ['creatives', 'marks', 'review', 'task', 'activity'])
      void client.invalidateQueries({ queryKey: [key, taskId] })
    void client.invalidateQueries({ queryKey: ['feed'] })
  }
  const create = (body: CreativeCreate = {}) => call('createCreative', { params: { task_id: taskId }, body })
  const change = (creative: Creative, patch: CreativePatch) =>
    call('patchCreative', { params: { creative_id: creative.id }, body: patch }).then(() => undefined)
  const restore = (creative: Creative) =>
    call('restoreCreative', { params: { creative_id: creative.id } })
      .then(
        () => tell(`“${creative.name}” is back`),
        (error: unknown) => tellError(error, 'Not restored'),
      )
      .finally(refresh)
  return {
    add: () =>
      create()
        .then(() => undefined, tellError)
        .finally(refresh),
    addFiles: (files, onProgress) =>
      askBeforeClosing(async () => {
        for (const [at, file] of files.entries()) {
          const told = (share: number) => onProgress((at + share) / files.length)
          // The files are uploaded one after the other, so that the planned names are given in the order of the files.
          await uploadFile(file, told)
            .then(({ digest }) => create({ file: digest }))
            .catch((error: unknown) => tellError(error, `“${file.name}” was not put on the task`))
        }
        refresh()
      }),
    fill: (name, file, onProgress) =>
      askBeforeClosing(() => uploadFile(file, onProgress).then(({ digest }) => create({ name, file: digest })))
        .then(
          () => undefined,
          (error: unknown) => tellError(error, `“${file.name}” was not put on the task`),
        )
        .finally(refresh),
    putFile: (creative, file, onProgress) =>
      askBeforeClosing(() => uploadFile(file, onProgress).then(({ digest }) => change(creative, { file: digest })))
        .catch((error: unknown) => tellError(error, `“${file.name}” was not uploaded`))
        .finally(refresh),
    change: (creative, patch) => change(creative, patch).finally(refresh),
    remove: (creative) =>
      call('deleteCreative', { params: { creative_id: creative.id } })
        .then(
          () => tellUndoable(`Deleted “${creative.name}”`, () => void restore(creative)),
          (error: unknown) => tellError(error, 'Not deleted'),
        )
        .finally(refresh),
  }
}
