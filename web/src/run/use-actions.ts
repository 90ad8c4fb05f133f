// In charge of what can be done to a run: ask, show what it answered, and say what went wrong.
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
    /** Whether it was done; what went wrong is told, and the run read anew. */
    const tried = async (doing: () => Promise<void>, refused: string): Promise<boolean> => {
      try {
        await doing()
        return true
      } catch (error) {
        tellError(error, refused)
        void client.invalidateQueries({ queryKey })
        return false
      }
    }
    const freshen = () => {
      for (const key of ['runs', 'run-history', 'plan', 'money']) void client.invalidateQueries({ queryKey: [key] })
    }
    /** Shows the run that a call answers. */
    const done = (what: Promise<Tagged<Run>>, refused: string): Promise<boolean> => {
      // What is held by now the answer has in it; what is read until it comes may be newer.
      const cursor = client.getQueryData<RunData>(queryKey)?.cursor ?? null
      return tried(async () => {
        const answer = await what
        // An answer of the live view that is under way is older than this one.
        await client.cancelQueries({ queryKey })
        client.setQueryData<RunData>(queryKey, { ...answer, cursor })
        freshen()
      }, refused)
    }
    /** Reads what changed by a call that does not answer it. */
    const read = async () => {
      await client.invalidateQueries({ queryKey })
      freshen()
    }
    const undelete = () => done(callTagged('undeleteRun', { params }), 'Not undeleted')
    return {
      done,
      undelete,
      /** A run that has exported answers with its fork: the page goes there. */
      start: (body: RunStart) =>
        tried(async () => {
          const answer = await startGuarded(id, body)
          if (answer === null) return
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
