// In charge of starting things that may cost money: if the service requires a limit or an approval, a dialog asks the user for it.
import type { RunCreate, RunStart } from '@atelier/contract/runs.ts'
import { call, callMinimal } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { askUser } from './waiting-starts.ts'

type Limited = Pick<RunStart, 'max_cost'>

/** `start` starts something that may cost money; `ask` requests an admin's approval of that start. Both take the same body. */
type Acts<Body, Done> = { start: (body: Body) => Promise<Done>; ask: (body: Body) => Promise<unknown> }

/**
 * Starts something; if the service refuses because a limit or an approval is missing, opens the dialog and waits for the user.
 * Returns null if the user cancels or requests an approval: nothing was started then, and there is no error to show.
 */
export async function guard<Body extends Limited, Done>(body: Body, acts: Acts<Body, Done>): Promise<Done | null> {
  try {
    return await acts.start(body)
  } catch (error) {
    const needsLimit = hasCode(error, 'limit_needed')
    if (!needsLimit && !hasCode(error, 'approval_needed')) throw error
    const why = wordsOf(error)
    const limit = await askUser(
      needsLimit ? { why, kind: 'limit' } : { why, kind: 'approval', ask: () => acts.ask(body) },
    )
    return limit === null ? null : guard({ ...body, max_cost: limit }, acts)
  }
}

/** Starts a run. Resolves to the location of the started run, which may be a fork of this run; to null if `guard` returns null. */
export const startGuarded = (run_id: string, body: RunStart) =>
  guard(body, {
    start: (body) => callMinimal('startRun', { params: { run_id }, body }),
    ask: (body) => call('askApproval', { params: { run_id }, body }),
  })

type NewRun = Pick<RunCreate, 'task_id' | 'pinned_task_id' | 'variation_num'>
const createRun = async (graph_id: string, body: RunCreate): Promise<string> =>
  (await call('createRun', { params: { graph_id }, body })).id

/**
 * Creates and starts a run. Returns its id, or null if the user cancelled. If the user requests an approval, the run is created as
 * a draft only, and the id of the draft is returned.
 */
export async function startNewRun(graphId: string, body: NewRun): Promise<string | null> {
  let draft: string | null = null
  const started = await guard<NewRun & Limited, string>(body, {
    start: (body) => createRun(graphId, { ...body, execute: true }),
    ask: async ({ max_cost, ...rest }) => {
      draft ??= await createRun(graphId, { ...rest, execute: false })
      const limited = max_cost === undefined ? {} : { max_cost }
      return call('askApproval', { params: { run_id: draft }, body: limited })
    },
  })
  return started ?? draft
}
