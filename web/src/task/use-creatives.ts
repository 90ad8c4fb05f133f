// In charge of the actions on the creatives of a task: add, change, set a file, delete, restore.
import type { CreativeCreate, CreativePatch } from '@atelier/contract/creatives.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, callTagged } from '../lib/api.ts'
import { ChangedMeanwhile, ifMatch, writeChecked } from '../lib/conflict.ts'
import { createInTurn } from '../lib/in-turn.ts'
import { creativesQuery } from '../lib/queries.ts'
import { showAnswer } from '../lib/show-answer.ts'
import type { Creative } from '../lib/types.ts'
import { type Send, UploadCancelled } from '../lib/upload.ts'
import { tellDeleted, tellError } from '../ui/toasts.tsx'
import { refreshCreatives, useRestoreCreative } from './restore-creative.ts'
import { chosenNamesGiven } from './uploads.ts'

export type CreativeActions = {
  add: () => Promise<void>
  /**
   * Adds one creative for each file. Each creative gets the next planned name that no creative has yet. This function and the next
   * two upload with `send`, and return how many files are on the task now; a file that the user has cancelled changes nothing.
   */
  addFiles: (files: readonly File[], send: Send) => Promise<number>
  /** Adds the creative with this planned name, and uploads its file. */
  fill: (name: string, file: File, send: Send) => Promise<number>
  putFile: (creative: Creative, file: File, send: Send) => Promise<number>
  change: (creative: Creative, patch: CreativePatch) => Promise<void>
  /** Fails with `ChangedMeanwhile` if somebody else has given the creative another name than the one that is shown. */
  rename: (creative: Creative, name: string) => Promise<void>
  remove: (creative: Creative) => Promise<void>
}

export function useCreatives(taskId: string): CreativeActions {
  const client = useQueryClient()
  const restore = useRestoreCreative(taskId)
  return useMemo(() => creativeActions(client, taskId, restore), [client, taskId, restore])
}

type Restore = ReturnType<typeof useRestoreCreative>

function creativeActions(client: QueryClient, taskId: string, restore: Restore): CreativeActions {
  const refresh = () => refreshCreatives(client, taskId)
  const create = (body: CreativeCreate = {}) => call('createCreative', { params: { task_id: taskId }, body })
  const change = (creative: Creative, patch: CreativePatch) =>
    call('patchCreative', { params: { creative_id: creative.id }, body: patch }).then(() => undefined)
  /** The names that the user has given to creatives, by the ids of these. */
  const given = new Map<string, string>()
  const inTurn = createInTurn()
  const rename = ({ id, name: shown }: Creative, name: string) => {
    const params = { creative_id: id }
    const { queryKey } = creativesQuery(taskId)
    const write = (etag: string | null) => {
      const sent = call('patchCreative', { params, body: { name }, headers: ifMatch(etag) })
      return showAnswer(client, queryKey, sent, (now) =>
        client.setQueryData(queryKey, (list) => list?.map((one) => (one.id === id ? now : one))),
      )
    }
    return inTurn([id], async () => {
      // A list of creatives has no ETags, so the creative is read first.
      const read = () => callTagged('getCreative', { params })
      const check = (now: Creative) => {
        if (![shown, name, given.get(id)].includes(now.name)) throw new ChangedMeanwhile()
      }
      given.set(id, (await writeChecked({ read, check, write })).name)
    })
  }
  /** Returns how many files the work has put on the task, which is none if it fails. */
  const one = (file: File, work: Promise<unknown>, problem: string) =>
    work.then(
      () => 1,
      (error: unknown) => {
        if (!(error instanceof UploadCancelled)) tellError(error, `“${file.name}” ${problem}`)
        return 0
      },
    )
  return {
    add: () =>
      create()
        .then(() => undefined, tellError)
        .finally(refresh),
    addFiles: async (files, send) => {
      let added = 0
      for (const file of files) {
        // The files are uploaded one after the other, so that the planned names are given in the order of the files.
        const work = send(file).then(async ({ stored, cancelled }) => {
          await chosenNamesGiven(taskId, cancelled)
          return create({ file: stored.digest })
        })
        added += await one(file, work, 'was not put on the task')
      }
      refresh()
      return added
    },
    fill: (name, file, send) => {
      const work = send(file).then(({ stored }) => create({ name, file: stored.digest }))
      return one(file, work, 'was not put on the task').finally(refresh)
    },
    putFile: (creative, file, send) => {
      const work = send(file).then(({ stored }) => change(creative, { file: stored.digest }))
      return one(file, work, 'was not uploaded').finally(refresh)
    },
    change: (creative, patch) => change(creative, patch).finally(refresh),
    rename: (creative, name) => rename(creative, name).finally(refresh),
    remove: (creative) =>
      call('deleteCreative', { params: { creative_id: creative.id } })
        .then(
          () => tellDeleted(`Deleted “${creative.name}”`, [creative.id], () => void restore(creative.id)),
          (error: unknown) => tellError(error, 'Not deleted'),
        )
        .finally(refresh),
  }
}
