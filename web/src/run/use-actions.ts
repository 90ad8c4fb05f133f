// In charge of what can be done to a run: ask, show what it answered, and say what went wrong.
import type { RunStart } from '@atelier/contract/runs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { callTagged } from '../lib/api.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { runQuery } from './queries.ts'
import type { RunData } from './use-run.ts'

export type Actions = ReturnType<typeof useActions>

export function useActions(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { run_id: id }
    const { queryKey } = runQuery(id)
    const show = async (answer: RunData) => {
      // An answer of the live view that is under way is older than this one.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, answer)
      for (const key of ['runs', 'run-history', 'plan']) void client.invalidateQueries({ queryKey: [key] })
    }
    /** Whether it was done; what went wrong is told, and the run read anew. */
    const done = async (what: Promise<RunData>, refused: string): Promise<boolean> => {
      try {
        await show(await what)
        return true
      } catch (error) {
        tellError(error, refused)
        void client.invalidateQueries({ queryKey })
        return false
      }
    }
    const undelete = () => done(callTagged('undeleteRun', { params }), 'Not undeleted')
    return {
      done,
      undelete,
      /** A run that has exported answers with its fork: the page goes there. */
      start: async (body: RunStart): Promise<boolean> => {
        try {
          const answer = await callTagged('startRun', { params, body })
          if (answer.data.id === id) await show(answer)
          else {
            client.setQueryData(runQuery(answer.data.id).queryKey, answer)
            void client.invalidateQueries({ queryKey: ['runs'] })
            tell('This is a fork: the run it comes from stays a record.')
            await navigate({ to: '/runs/$run_id', params: { run_id: answer.data.id } })
          }
          return true
        } catch (error) {
          tellError(error, 'Not started')
          void client.invalidateQueries({ queryKey })
          return false
        }
      },
      cancel: () => done(callTagged('cancelRun', { params }), 'Not cancelled'),
      answer: (node_id: string, item: number | null, answer: unknown) =>
        done(callTagged('answerRun', { params, body: { node_id, item, answer } }), 'Not answered'),
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
