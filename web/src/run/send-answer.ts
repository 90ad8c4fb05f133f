// In charge of sending an answer to a question of a gate, also to a service of the version before this page's: while a new version is
// put in place, both versions answer.
import type { RunAnswer } from '@atelier/contract/runs.ts'
import { CallError } from '@atelier/contract/wire/calls.ts'

/**
 * Sends the answer by `send`. The version before does not know the member `asked` and refuses it, so that the answer is sent to it
 * once more without `asked`.
 */
export async function sendAnswer(send: (body: RunAnswer) => Promise<unknown>, body: RunAnswer): Promise<void> {
  try {
    await send(body)
  } catch (error) {
    if (!refusesAsked(error)) throw error
    const { asked: _, ...rest } = body
    await send(rest)
  }
}

/** Whether `asked` is all that is wrong with an answer, and only because the service does not know it. */
function refusesAsked(error: unknown): boolean {
  if (!(error instanceof CallError) || error.status !== 422) return false
  const [only, ...others] = error.errors
  return others.length === 0 && only?.type === 'extra_forbidden' && only.loc.join('.') === 'body.asked'
}
