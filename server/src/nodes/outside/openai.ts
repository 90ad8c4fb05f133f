// In charge of speaking with an OpenAI-compatible service: addresses, keys, and what its refusals mean.
import { isPlainObject } from '@atelier/contract/definition.ts'
import type { Dispatcher } from 'undici'
import type { ProviderSettings } from '../node-options.ts'
import { NodeFailure } from '../node-type.ts'
import { plainText, retryAfter, type Sent, send } from './send.ts'

export type OpenAi = {
  settings: ProviderSettings
  /** Connects to the provider itself, wherever the operator put it. */
  agent: Dispatcher
  /** Posts JSON, and gives the JSON of a good answer. `unit` names the piece of work to a service that knows of repeats. */
  post(
    path: string,
    body: Record<string, unknown>,
    call: { unit: string; signal: AbortSignal },
  ): Promise<Record<string, unknown>>
}

/** Base64 of a large picture, with some room. */
const limit = 60_000_000

export function openAi(settings: ProviderSettings, agent: Dispatcher): OpenAi {
  const who = `The provider (${new URL(settings.baseUrl).host})`
  return {
    settings,
    agent,
    post: async (path, body, { unit, signal }) => {
      const sent = await send({
        url: `${settings.baseUrl}${path}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'idempotency-key': unit,
          ...(settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }),
        },
        body: JSON.stringify(body),
        ...{ agent, signal, limit, who, hasEffect: true },
      })
      if (sent.status !== 200) throw refusalOf(sent, who, settings.apiKey)
      const answer = parse(sent.body)
      if (isPlainObject(answer)) return answer
      // It worked, and it will be billed: asking again is not ours to decide.
      throw new NodeFailure(`${who} answered with something that is not JSON.`, { outcome: 'unknown' })
    },
  }
}

function refusalOf(sent: Sent, who: string, apiKey: string | null): NodeFailure {
  const { status, headers } = sent
  const said = messageOf(sent.body, apiKey)
  if (status === 401 || status === 403) {
    // What it says here may quote the key.
    return new NodeFailure(`${who} does not accept the key (${status}). An operator sets it as OPENAI_API_KEY.`)
  }
  if (status === 429) {
    const isSpent = /insufficient_quota|billing/i.test(sent.body.toString('utf8', 0, 5000))
    if (isSpent) return new NodeFailure(`${who}: the account has nothing left to spend. ${said}`)
    return new NodeFailure(`${who} takes no more calls just now. ${said}`, {
      again: { afterSeconds: retryAfter(headers, 20), busy: true },
    })
  }
  // A gateway that gave up on waiting does not know whether the work was done.
  if (status === 408 || status === 504 || status === 524) {
    return new NodeFailure(`${who} did not finish in time (${status}).`, { outcome: 'unknown' })
  }
  if (status >= 500)
    return new NodeFailure(`${who} is in trouble (${status}). ${said}`, {
      again: { afterSeconds: retryAfter(headers, 15) },
    })
  // The usual reason is a model that has ended, or one that this service does not have.
  const advice =
    status === 404 ? ' The model is set in the node, or by ATELIER_IMAGE_MODEL and ATELIER_CHAT_MODEL.' : ''
  return new NodeFailure(`${who} refused the call (${status}). ${said}${advice}`)
}

function messageOf(body: Buffer, apiKey: string | null): string {
  const answer = parse(body.subarray(0, 100_000))
  const error: unknown = isPlainObject(answer) ? answer.error : undefined
  const message = isPlainObject(error) ? error.message : error
  if (typeof message !== 'string') return ''
  const safe = apiKey === null ? message : message.replaceAll(apiKey, '…')
  return `It says: ${plainText(safe.replace(/\b(?:sk|key)-[\w*.-]+/g, '…'), 400)}`
}

export function parse(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** What provider and model are called in the cache's key: never with credentials that an address may carry. */
export function providerKey(settings: ProviderSettings | null, model: string): string | null {
  if (settings === null) return null
  const { host, pathname } = new URL(settings.baseUrl)
  return `${host}${pathname}:${model}`
}

/**
 * What the longest answer is called in a request. OpenAI's reasoning models refuse the old name; services that speak
 * its API often know no other.
 */
export const limitName = (baseUrl: string): 'max_completion_tokens' | 'max_tokens' =>
  /(?:^|\.)openai\.(?:azure\.)?com$/.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens'

/** Why types that ask the provider cannot run; null where they can. */
export const withoutProvider = (settings: ProviderSettings | null): string | null =>
  settings === null
    ? 'No provider is set: an operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible service.'
    : null
