// In charge of fetching a picture that a provider made and gave an address for.
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { NodeFailure } from '../node-type.ts'
import type { OpenAi } from './openai.ts'
import { retryAfter, send } from './send.ts'

const limit = 40_000_000
const fetches = 4

/** It is paid for, with so many credits, and fetching it costs nothing: tried a few times before the call fails with that said. */
export async function fetchPicture(
  url: string,
  { openai, agent, signal, credits }: { openai: OpenAi; agent: Dispatcher; signal: AbortSignal; credits: number },
): Promise<Buffer> {
  const data = /^data:image\/[a-z+]+;base64,(.*)$/s.exec(url)
  if (data) return Buffer.from(data[1] ?? '', 'base64')
  const host = new URL(url).host
  // A local service hands out pictures from itself: it is trusted with that as it is with the prompt.
  const isItself = host === new URL(openai.settings.baseUrl).host
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(url, isItself ? openai.agent : agent, `The place the picture is at (${host})`, signal)
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      const paid = new NodeFailure(`${error.message} The picture was paid for.`, { credits, cause: error })
      if (error.again === null || attempt === fetches) throw paid
      await wait(Math.min(error.again.afterSeconds * 1000, 50 * 4 ** attempt), undefined, { signal }).catch(() => {
        throw paid
      })
    }
  }
}

async function fetchOnce(url: string, agent: Dispatcher, who: string, signal: AbortSignal): Promise<Buffer> {
  const sent = await send({ url, agent, signal, limit, who, hasEffect: false, redirects: 3 })
  if (sent.status === 200) return sent.body
  const isPassing = sent.status === 429 || sent.status >= 500
  throw new NodeFailure(
    `${who} answered ${sent.status}.`,
    isPassing ? { again: { afterSeconds: retryAfter(sent.headers, 10) } } : {},
  )
}
