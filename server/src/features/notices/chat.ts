// In charge of posting one message to a chat's incoming webhook, through the guard that keeps requests on the public internet.
import type { ChatService } from '@atelier/contract/notice-channels.ts'
import { NodeFailure } from '../../nodes/node-type.ts'
import { guardedAgent } from '../../nodes/outside/guard.ts'
import { retryAfter, send } from '../../nodes/outside/send.ts'
import type { Tried } from './mail.ts'
import { chatBody, chatName, type Message, oneLine } from './words.ts'

export type Address = { service: ChatService; url: string }
/** `signal` ends a try that is under way. */
export type Chat = (address: Address, message: Message, signal?: AbortSignal) => Promise<Tried>

const tryMs = 15_000
const answerBytes = 64_000

export function createChat(allowedHosts: readonly string[], limitMs = tryMs): Chat {
  const agent = guardedAgent(allowedHosts)
  return async ({ service, url }, message, signal) => {
    const who = chatName(service)
    try {
      const { status, headers, body } = await send({
        ...{ url, method: 'POST', agent, who, limit: answerBytes, hasEffect: true },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(chatBody(service, message)),
        signal: AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])]),
      })
      const said = oneLine(`${status} ${body.toString('utf8', 0, 2000)}`, 500)
      if (status < 300) return { outcome: 'sent', said }
      if (status === 429) return { outcome: 'again', said, afterSeconds: retryAfter(headers, 60) }
      return { outcome: status >= 500 || status === 408 ? 'again' : 'refused', said }
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      const mayWork = error.again !== null || error.outcome === 'unknown'
      return { outcome: mayWork ? 'again' : 'refused', said: oneLine(error.message, 500) }
    }
  }
}

/** Why an address is not taken; null: it is. `http:` is for hosts that the operator has listed. */
export function wrongAddress(url: string, allowedHosts: readonly string[]): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'must be a web address that starts with https://'
  if (parsed.username !== '' || parsed.password !== '') return 'must be an address without a name and password'
  const isListed = allowedHosts.some((host) => [parsed.host, parsed.hostname].includes(host.toLowerCase()))
  return parsed.protocol === 'https:' || isListed ? null : 'must start with https://'
}
