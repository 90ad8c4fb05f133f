// In charge of the actions on a run: each sends a request and shows the changed run, or an error if the request fails.
import type { RunStart } from '@atelier/contract/runs.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { callMinimal, callTagged } from '../lib/api.ts'
import { startGuarded } from '../money/guarded.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { type Run, type RunData, runQuery } from './queries.ts'

export type Actions = ReturnType<typeof useActions>

export function useActions(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { run_id: id }
    const { queryKey } = runQuery(id)
    /**
     * Resolves to whether the action was done: false if `doing` resolves to false, which means that the user gave it up, or if
     * it failed. In that case this function shows the error and loads the run again.
     */
    const tried = async (doing: () => Promise<unknown>, refused: string): Promise<boolean> => {
      try {
        return (await doing()) !== false
      } catch (error) {
        tellError(error, refused)
        void client.invalidateQueries({ queryKey })
        return false
      }
    }
    const freshen = () => {
      for (const key of ['runs', 'run-history', 'plan', 'money']) void client.invalidateQueries({ queryKey: [key] })
    }
    /** Waits for the request `what`, whose response is the changed run, and shows that run. */
    const done = (what: Promise<Tagged<Run>>, refused: string): Promise<boolean> => {
      // Keeps the cursor of the last read, so that the next read also brings changes that happened since then but are not in the
      // response.
      const cursor = client.getQueryData<RunData>(queryKey)?.cursor ?? null
      return tried(async () => {
        const answer = await what
        // Cancels a request of the live view that is still under way: its response would be older than the returned run.
        await client.cancelQueries({ queryKey })
        client.setQueryData<RunData>(queryKey, { ...answer, cursor })
        freshen()
      }, refused)
    }
    /** Loads the run again, after requests whose response does not contain the run. */
    const read = async () => {
      await client.invalidateQueries({ queryKey })
      freshen()
    }
    const undelete = () => done(callTagged('undeleteRun', { params }), 'Not undeleted')
    return {
      done,
      undelete,
      /** If the run was exported, the service starts a fork of it instead, and the page opens this fork. */
      start: (body: RunStart) =>
        tried(async () => {
          const answer = await startGuarded(id, body)
          if (answer === null) return false
          const started = answer.location.slice(answer.location.lastIndexOf('/') + 1)
          if (started === id) return read()
          void client.invalidateQueries({ queryKey: ['runs'] })
          tell('This is a fork: the run it comes from stays a record.')
          await navigate({ to: '/runs/$run_id', params: { run_id: started } })
        }, 'Not started'),
      cancel: () => done(callTagged('cancelRun', { params }), 'Not cancelled'),
      answer: (node_id: string, item: number | null, answer: unknown) =>
        tried(async () => {
          await callMinimal('answerRun', { params, body: { node_id, item, answer } })
          await read()
        }, 'Not answered'),
      remove: async () => {
        if (await done(callTagged('deleteRun', { params }), 'Not deleted'))
          tellUndoable('Deleted the run', () => void undelete())
      },
      restore: async (at: string) => {
        if (await done(callTagged('restoreRunHistory', { params, body: { at } }), 'Not restored'))
          tell('The run is as it stood then')
      },
      pin: (taskId: string | null) =>
        done(callTagged('patchRun', { params, body: { pinned_task_id: taskId } }), 'Not changed'),
    }
  }, [id, client, navigate])
}
