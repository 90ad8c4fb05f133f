// In charge of posting a message to a chat's incoming webhook. Requests pass a guard, which blocks addresses in private networks
// unless the operator has allowed their hosts.
import { NodeFailure } from '../../nodes/node-type.ts'
import { guardedAgent } from '../../nodes/outside/guard.ts'
import { retryAfter, send } from '../../nodes/outside/send.ts'
import type { Address, OpenedAddress } from './chat-addresses.ts'
import type { Tried } from './mail.ts'
import { chatBody, chatName, type Message, oneLine } from './words.ts'

/** Posts a message to a chat; `signal` aborts the attempt. */
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
      const said = oneLine(`${status} ${without(url, body.toString('utf8'))}`, 500)
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

/**
 * Posts a message to a chat. If the chat's address cannot be decrypted, the outcome is `again`, since a later attempt can succeed
 * after an operator has corrected the settings.
 */
export async function sendToChat(
  chat: Chat,
  { service, url }: OpenedAddress,
  message: Message,
  signal?: AbortSignal,
): Promise<Tried> {
  return url === null ? { outcome: 'again', said: unreadable } : chat({ service, url }, message, signal)
}

const unreadable =
  'The address of the chat is sealed with another key than ATELIER_SECRETS_KEY has. Set the address again, or have an operator set that key again.'

/** Removes the chat's address from a response: some services repeat the address in their errors, and the response is stored. */
function without(url: string, text: string): string {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const masked = text.replaceAll(url, '…')
  return path.length > 1 ? masked.replaceAll(path, '…') : masked
}

/** Returns why an address is refused; null if it is accepted. `http:` is accepted only for hosts that the operator has listed. */
export function wrongAddress(url: string, allowedHosts: readonly string[]): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'must be a web address that starts with https://'
  if (parsed.username !== '' || parsed.password !== '') return 'must be an address without a name and password'
  const isListed = allowedHosts.some((host) => [parsed.host, parsed.hostname].includes(host.toLowerCase()))
  return parsed.protocol === 'https:' || isListed ? null : 'must start with https://'
}
