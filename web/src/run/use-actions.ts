// In charge of the actions on a run: each sends a request, and then shows the changed run, or a message if the request failed.
import type { RunStart } from '@atelier/contract/runs.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { forgetUnread } from '../graph/unread-json.ts'
import { callMinimal, callTagged } from '../lib/api.ts'
import { forgetDraft } from '../lib/kept-drafts.ts'
import { showAnswer } from '../lib/show-answer.ts'
import { startGuarded } from '../money/guarded.ts'
import { forgetDeleted, tell, tellDeleted, tellError, tellUntilClosed } from '../ui/toasts.tsx'
import { draftKey, hasKeptText } from './gate-drafts.ts'
import { isAnsweredSo, overtakenWords, overtakingCode } from './overtaken.ts'
import { type Run, type RunData, runQuery } from './queries.ts'
import type { Question } from './questions.ts'
import { sendAnswer } from './send-answer.ts'

export type Actions = ReturnType<typeof useActions>

/** Shows an error. `readAgain` resolves once the run has been loaded again. */
type Explain = (error: unknown, readAgain: Promise<void>) => unknown

/** Says why an answer was refused. What has become of the question is known once the run is loaded again. */
const explainAnswer =
  (client: QueryClient, runId: string, { question, answer }: { question: Question; answer: unknown }): Explain =>
  async (error, readAgain) => {
    const code = overtakingCode(error)
    if (code === null) return tellError(error, 'Not answered')
    await readAgain
    const run = client.getQueryData<RunData>(runQuery(runId).queryKey)?.data ?? null
    const draft = draftKey(runId, question)
    if (isAnsweredSo(question, answer, run)) forgetDraft(draft)
    tellUntilClosed(overtakenWords(code, { question, answer, isKept: hasKeptText(draft) }, run))
  }

export function useActions(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = { run_id: id }
    const { queryKey } = runQuery(id)
    /**
     * Does the action `doing`, and resolves to whether it was done. If it fails, loads the run again, shows the error by `explain`,
     * and resolves to false. Also resolves to false if `doing` does, which means that the user gave the action up.
     */
    const triedOr = async (explain: Explain, doing: () => Promise<unknown>): Promise<boolean> => {
      try {
        return (await doing()) !== false
      } catch (error) {
        void explain(error, client.invalidateQueries({ queryKey }))
        return false
      }
    }
    const tried = (doing: () => Promise<unknown>, refused: string) =>
      triedOr((error) => tellError(error, refused), doing)
    const freshen = () => {
      for (const key of ['runs', 'run-history', 'plan', 'money']) void client.invalidateQueries({ queryKey: [key] })
    }
    /** Waits for the request `what`, whose response is the changed run, and shows that run. */
    const done = (what: Promise<Tagged<Run>>, refused: string): Promise<boolean> => {
      // The cursor of the last read is kept, because the response has none. So the next read asks for all changes since the last
      // read, including those that the response contains already.
      const cursor = client.getQueryData<RunData>(queryKey)?.cursor ?? null
      const show = (answer: Tagged<Run>) => client.setQueryData<RunData>(queryKey, { ...answer, cursor })
      return tried(async () => {
        await showAnswer(client, queryKey, what, show)
        freshen()
      }, refused)
    }
    /** Loads the run again, after requests whose response does not contain the run. */
    const read = async () => {
      await client.invalidateQueries({ queryKey })
      freshen()
    }
    const undelete = async () => {
      if (await done(callTagged('undeleteRun', { params }), 'Not undeleted')) forgetDeleted(id)
    }
    return {
      done,
      undelete,
      /** Starts the run. If the run was exported, the service starts a fork of it instead, and the page of the fork is opened. */
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
      /** Answers a question as it was shown. If the gate asks something else by now, the service refuses the answer. */
      answer: (question: Question, answer: unknown) =>
        triedOr(explainAnswer(client, id, { question, answer }), async () => {
          const { node: node_id, item, asked } = question
          const body = { node_id, item, answer, ...(asked === null ? {} : { asked }) }
          await sendAnswer((body) => callMinimal('answerRun', { params, body }), body)
          await read()
        }),
      remove: async () => {
        if (await done(callTagged('deleteRun', { params }), 'Not deleted'))
          tellDeleted('Deleted the run', [id], () => void undelete())
      },
      restore: async (at: string) => {
        const restored = callTagged('restoreRunHistory', { params, body: { at } }).then((answer) => {
          forgetUnread(`/runs/${id}`)
          return answer
        })
        if (await done(restored, 'Not restored')) tell('The run is as it stood then')
      },
      pin: (taskId: string | null) =>
        done(callTagged('patchRun', { params, body: { pinned_task_id: taskId } }), 'Not changed'),
    }
  }, [id, client, navigate])
}
