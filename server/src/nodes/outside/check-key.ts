// In charge of checking whether a provider accepts a key, by a request that costs nothing.
import type { Dispatcher } from 'undici'
import { NodeFailure } from '../node-type.ts'
import type { Provider } from './provider.ts'
import { messageOf } from './refusal.ts'
import { send } from './send.ts'

/**
 * `works`: whether the provider accepts the key; null if the provider has no free request with which to check it. `words`: the
 * result as a sentence for people.
 */
export type KeyCheck = { works: boolean | null; words: string }

/** How long the provider may take to reply. */
const patienceMs = 15_000
/** The maximum size of a reply, in bytes. The reply may be a list of models. */
const limit = 5_000_000

export async function checkKey(
  { title, check }: Provider,
  { url, key }: { url: string; key: string },
  agent: Dispatcher,
): Promise<KeyCheck> {
  const who = `${title} (${new URL(url).host})`
  if (!check) return { works: null, words: `${title} has no request that costs nothing: the first run shows it.` }
  const order = { ...check(url, key), agent, limit, who, hasEffect: false, signal: AbortSignal.timeout(patienceMs) }
  try {
    const { status, body } = await send(order)
    if (status >= 200 && status < 300) return { works: true, words: `${who} takes the key.` }
    return { works: false, words: `${who} answered ${status}. ${messageOf(body, key)}`.trim() }
  } catch (error) {
    if (error instanceof NodeFailure) return { works: false, words: error.message }
    if (order.signal.aborted)
      return { works: false, words: `${who} did not answer within ${patienceMs / 1000} seconds.` }
    throw error
  }
}
