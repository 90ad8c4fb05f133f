// In charge of starting a run whose money may be guarded: where a start needs a limit or an approval, the person is asked.
import type { RunStart } from '@atelier/contract/runs.ts'
import { callMinimal } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'

/** What a start waits for. `answer`: the body to start with; null: it is left. */
export type Guarded = {
  kind: 'limit' | 'approval'
  runId: string
  body: RunStart
  why: string
  answer: (body: RunStart | null) => void
}

const guarded = createStore<Guarded | null>(null)
export const useGuarded = (): Guarded | null => useStore(guarded, (one) => one)

/** Null: the person left it, or asked for an approval; there is nothing more to say. */
export async function startGuarded(runId: string, body: RunStart): Promise<{ location: string } | null> {
  try {
    return await callMinimal('startRun', { params: { run_id: runId }, body })
  } catch (error) {
    const kind = hasCode(error, 'limit_needed') ? 'limit' : hasCode(error, 'approval_needed') ? 'approval' : null
    if (kind === null) throw error
    const { promise, resolve } = Promise.withResolvers<RunStart | null>()
    guarded.set({ kind, runId, body, why: wordsOf(error), answer: resolve })
    const next = await promise.finally(() => guarded.set(null))
    return next === null ? null : startGuarded(runId, next)
  }
}
