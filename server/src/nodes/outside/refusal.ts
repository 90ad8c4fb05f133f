// In charge of interpreting a provider's refusal of a call: whether to try again, whether the call may have cost money, and the
// provider's message. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { NodeFailure } from '../node-type.ts'
import { plainText, retryAfter, type Sent } from './send.ts'

/** `who`: the provider's name in messages. `key`: is removed from messages; null: no key. `keySetting`: how operators set a key. */
type Refused = { who: string; key: string | null; keySetting: string }

/**
 * Codes and words by which providers say that an account is empty. Words such as `quota` and `billing` are not among them, because
 * providers use these in messages about limits on the rate of calls too.
 */
const spentAccount = /\b(?:insufficient_quota|billing_not_active|billing_hard_limit_reached|exhausted balance)\b/i
/** Google's name for a limit on the calls of a day. Google states a short delay with it too, after which it refuses again. */
const dayQuota = /"quotaId":\s*"[^"]*PerDay/
/** The time after which Google takes calls again, in seconds; other providers state it in the header `Retry-After`. */
const retryDelay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/

export function refusalOf(sent: Sent, { who, key, keySetting }: Refused): NodeFailure {
  const { status, headers } = sent
  const said = messageOf(sent.body, key)
  const start = sent.body.toString('utf8', 0, 20_000)
  // Some providers answer with 403 if the account is empty, which says nothing about the key.
  if ([401, 403, 429].includes(status) && spentAccount.test(start))
    return new NodeFailure(`${who}: the account has nothing left to spend. ${said}`)
  if (status === 401 || status === 403) {
    // The provider's message is left out, because it may contain the key.
    return new NodeFailure(
      `${who} does not accept the key (${status}). An admin sets it under Providers, an operator as ${keySetting}.`,
    )
  }
  if (status === 429) {
    if (dayQuota.test(start)) return new NodeFailure(`${who} takes no more calls today. ${said}`)
    const afterSeconds = retryAfter(headers, Math.ceil(Number(retryDelay.exec(start)?.[1] ?? 20)))
    return new NodeFailure(`${who} takes no more calls just now. ${said}`, { again: { afterSeconds, busy: true } })
  }
  // A gateway sends these statuses if it timed out or lost its connection. It does not know whether the provider did the work.
  if ([408, 502, 504, 520, 524].includes(status)) {
    return new NodeFailure(`${who} did not finish in time (${status}).`, { outcome: 'unknown' })
  }
  if (status >= 500)
    return new NodeFailure(`${who} is in trouble (${status}). ${said}`, {
      again: { afterSeconds: retryAfter(headers, 15) },
    })
  // The usual reason for 404 is a discontinued model, or a model that this service does not have.
  const advice =
    status === 404 ? ' The model is set in the node, or by ATELIER_IMAGE_MODEL and ATELIER_CHAT_MODEL.' : ''
  return new NodeFailure(`${who} refused the call (${status}). ${said}${advice}`)
}

/** Finds the error message in a reply: in `error.message`, `error`, `message` or `detail`, depending on the provider. */
function wordsOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (Array.isArray(answer)) return answer.map(wordsOf).filter(Boolean).join('; ')
  if (!isPlainObject(answer)) return ''
  return wordsOf(answer.error) || wordsOf(answer.message) || wordsOf(answer.detail) || wordsOf(answer.msg)
}

/** The provider's error message as a sentence, without the key and whatever looks like a key; empty if there is no message. */
export function messageOf(body: Buffer, key: string | null): string {
  const message = wordsOf(parse(body.subarray(0, 100_000)))
  if (message === '') return ''
  const safe = key === null ? message : message.replaceAll(key, '…')
  return `It says: ${plainText(safe.replace(/\b(?:sk|key)-[\w*.-]+/g, '…'), 400)}`
}

export function parse(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
