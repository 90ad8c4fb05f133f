// In charge of one request to an outside service: limits time and size, and distinguishes failures that may cost money from others.
import { type Dispatcher, request } from 'undici'
import { inSpan, type NewSpan } from '../../platform/tracing/spans.ts'
import { NodeFailure } from '../node-type.ts'
import { Forbidden } from './guard.ts'

export type Sent = { status: number; headers: Record<string, string>; body: Buffer; url: string }

export type Order = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  agent: Dispatcher
  signal: AbortSignal
  /** The maximum size of a reply, in bytes. */
  limit: number
  /** The name of the service, for error messages. */
  who: string
  /** Whether the request may cause something that costs money or cannot be undone. */
  hasEffect: boolean
  /** How many redirects to follow at most. If 0 or absent, a redirect is returned as the reply, as for the APIs of providers. */
  redirects?: number
}

/** Codes of errors that occur before any byte of the request is sent, so that the request cannot have had an effect. */
const unsent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/

/**
 * Sends a request and returns the whole reply, whatever its status is. If there is no reply, throws a `NodeFailure` whose message
 * contains neither headers nor body.
 */
export async function send(order: Order): Promise<Sent> {
  let current = order
  for (let turn = 0; ; turn++) {
    const sent = await sendOnce(current)
    const next = redirectOf(sent, current)
    if (next === null) return sent
    if (turn >= (order.redirects ?? 0)) throw new NodeFailure(`${order.who} sends on to another address too often.`)
    current = next
  }
}

/**
 * Sends one request and records it as a trace span. The span has neither path nor query, because these may contain secrets. The
 * outside service gets no `traceparent` header.
 */
const sendOnce = (order: Order): Promise<Sent> =>
  inSpan(
    order.method ?? 'GET',
    () => spanOf(order),
    async (span) => {
      const sent = await exchanged(order)
      span?.set({ 'http.response.status_code': sent.status })
      if (sent.status >= 400) span?.fail(`Answered ${sent.status}.`)
      return sent
    },
  )

const spanOf = ({ url, method = 'GET', who }: Order): NewSpan => {
  const { hostname = '', port = '', protocol = '' } = URL.parse(url) ?? {}
  const at = { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'http:' ? 80 : 443) }
  return { kind: 'client', attributes: { 'http.request.method': method, ...at, 'atelier.outside': who } }
}

async function exchanged(order: Order): Promise<Sent> {
  const { url, method = 'GET', headers = {}, body, agent, signal, limit, who } = order
  try {
    signal.throwIfAborted()
    const answer = await request(url, { method, headers, body: body ?? null, dispatcher: agent, signal })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body) {
      size += chunk.length
      if (size > limit) {
        throw new NodeFailure(
          `${who} answered with more than ${Math.round(limit / 1000)} kB, which is not taken.`,
          paidIf(order),
        )
      }
      chunks.push(chunk)
    }
    return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: Buffer.concat(chunks), url }
  } catch (error) {
    throw asFailure(error, order)
  }
}

function asFailure(error: unknown, order: Order): unknown {
  const { who, signal } = order
  if (error instanceof NodeFailure || !(error instanceof Error)) return error
  if (error instanceof Forbidden || error.cause instanceof Forbidden) {
    return new NodeFailure(
      error instanceof Forbidden ? error.message : String(Reflect.get(Object(error.cause), 'message')),
    )
  }
  const isLate = signal.aborted && Reflect.get(Object(signal.reason), 'name') === 'TimeoutError'
  if (signal.aborted && !isLate) {
    return new NodeFailure(`The call to ${who} was stopped while it was under way.`, { ...paidIf(order), cause: error })
  }
  const code = isLate ? 'TIMEOUT' : codeOf(error)
  if (unsent.test(code)) {
    return new NodeFailure(`${who} cannot be reached (${code}).`, { again: { afterSeconds: 10 }, cause: error })
  }
  if (code === 'ERR_INVALID_URL' || code === 'UND_ERR_INVALID_ARG')
    return new NodeFailure(`${who}: this is not an address that can be called.`)
  const what = /TIMEOUT/.test(code) ? 'did not answer in time' : 'broke off the connection'
  // The service may have done the work before the connection failed, so only a request without effects may be sent again.
  const then = order.hasEffect ? paidIf(order) : { again: { afterSeconds: 5 } }
  return new NodeFailure(`${who} ${what} (${code}).`, { ...then, cause: error })
}

const paidIf = ({ hasEffect }: Order) => (hasEffect ? { outcome: 'unknown' as const } : {})

function codeOf(error: Error): string {
  const own: unknown = Reflect.get(error, 'code')
  const cause: unknown = error.cause instanceof Error ? Reflect.get(error.cause, 'code') : undefined
  return String(own ?? cause ?? error.name)
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  )
}

/**
 * The request to a redirect's target; null if the reply is no redirect, or if redirects are not followed. Credentials are not sent
 * to another origin.
 */
function redirectOf(sent: Sent, order: Order): Order | null {
  const { location } = sent.headers
  if (![301, 302, 303, 307, 308].includes(sent.status) || location === undefined || !order.redirects) return null
  const url = URL.parse(location, sent.url)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new NodeFailure(`${order.who} sends on to what is no web address.`)
  const isSame = url.origin === new URL(sent.url).origin
  const { body: _, headers = {}, method = 'GET', ...rest } = order
  const kept = Object.entries(headers).filter(
    ([name]) => isSame || !/^(?:authorization|cookie|x-api-key|api-key)$/i.test(name),
  )
  if (method !== 'GET' && method !== 'HEAD' && sent.status >= 307)
    return { ...order, url: url.href, headers: Object.fromEntries(kept) }
  return { ...rest, headers: Object.fromEntries(kept), url: url.href, method: method === 'HEAD' ? 'HEAD' : 'GET' }
}

/** The seconds that the header `Retry-After` states as a number or a date, but at least 1 and at most 3600; `fallback` if none. */
export function retryAfter(headers: Record<string, string>, fallback: number, now = Date.now()): number {
  const text = headers['retry-after'] ?? ''
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(1, Math.ceil(seconds))) : fallback
}

/** Text from another service, made safe to store and show: without control characters, and with a maximum length. */
export const plainText = (text: string, most: number): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
