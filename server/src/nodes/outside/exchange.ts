// In charge of the `fetch` function that a provider's package uses for one call. It sends at most one paid request, and
// distinguishes failures that cost money from others. It saves the reply, so that a later attempt continues from that reply.
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { countProviderCall } from '../../platform/counts.ts'
import { type NodeContext, NodeFailure } from '../node-type.ts'
import { refusalOf } from './refusal.ts'
import { retryAfter, type Sent, send } from './send.ts'

/** How to reach a provider. */
export type Connection = {
  /** The provider's name in settings and in metrics. */
  name: string
  /** The provider's name for people. */
  title: string
  url: string
  /** Null for a service that needs no key. */
  key: string | null
  /** How an operator sets the key, for error messages. */
  keySetting: string
  /** The agent for the provider's own address, which the operator may choose freely. */
  trusted: Dispatcher
  /** The agent for addresses in the provider's replies; it connects only to public addresses. */
  guarded: Dispatcher
  /** Addresses that are fixed in the code of the provider's package; in requests, `url` replaces them. */
  fixed?: readonly string[]
  /** Milliseconds between two requests for the state of a job. */
  pollMs: number
}

type Context = Pick<NodeContext, 'unit' | 'seed' | 'signal' | 'checkpoint' | 'saveCheckpoint'>

/**
 * The checkpoint of a call: the reply to its paid request. `call` identifies that call by its `seed`, a hash of what the node
 * received: only a call with the same seed may use the reply. `isCharged`: whether an attempt was already charged for the reply.
 */
type Kept = { call: string; reply: { status: number; body: string; mediaType: string }; isCharged: boolean }

export type Exchange = {
  fetch: typeof globalThis.fetch
  /** Whether the provider has accepted the paid request, in this attempt or an earlier one. */
  isSent(): boolean
  /** Whether an earlier attempt was already charged for the provider's work. */
  isCharged(): boolean
  /**
   * Records in the checkpoint, if the reply is there, that the call is charged although it has no result. A later attempt then
   * continues from the reply free of charge.
   */
  charge(): Promise<void>
}

/**
 * The maximum size of a reply, in bytes. It is less than the default limit on files, so that a reply can be stored as a file.
 */
const limit = 100_000_000
/**
 * Replies up to this size, in bytes, are saved in the checkpoint; typically such a reply contains the id of a job. A larger reply
 * contains the provider's work itself, which the engine soon saves as the result.
 */
const keptBytes = 100_000
const looks = 6

/** Reads the error of a job from a provider's reply; null if the reply says nothing about an error. */
type Verdict = (body: string) => string | null
/**
 * `verdict` finds errors of jobs in replies; absent: no reply is taken for an error. `keeps`: whether the reply is saved in the
 * checkpoint; false if it contains the whole result, which the engine saves at once.
 */
type Options = { verdict?: Verdict | undefined; keeps?: boolean }

type Parts = {
  connection: Connection
  context: Context
  kept: KeptReply
  verdict: Verdict
  keeps: boolean
  who: string
}

export function createExchange(
  connection: Connection,
  context: Context,
  { verdict = () => null, keeps = true }: Options = {},
): Exchange {
  const who = `${connection.title} (${new URL(connection.url).host})`
  const kept = keptReply(context)
  const parts: Parts = { connection, context, kept, verdict, keeps, who }
  let isSent = kept.value !== null
  let posts = 0
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const body = Buffer.from(await request.arrayBuffer())
      const headers = Object.fromEntries(request.headers)
      if (connection.key === null) delete headers.authorization
      const url = placed(request.url, connection)
      if (request.method !== 'POST')
        return look(parts, { url, headers, follows: request.redirect === 'follow' ? 3 : 0 })
      posts += 1
      if (posts > 1) throw new Error('A call wants to send a second request, which may be paid for.')
      const response = await post(parts, { url, headers, body })
      isSent = true
      return response
    },
    isSent: () => isSent,
    isCharged: () => kept.value?.isCharged === true,
    charge: kept.charge,
  }
}

async function post({ connection, context, kept, verdict, keeps, who }: Parts, order: Outgoing): Promise<Response> {
  if (kept.value !== null) return responseOf({ ...kept.value.reply, body: Buffer.from(kept.value.reply.body) })
  const { unit, signal } = context
  const headers = { ...order.headers, 'idempotency-key': unit }
  const agent = isAt(order.url, connection.url) ? connection.trusted : connection.guarded
  const sent = await counted(connection.name, () =>
    send({ ...order, method: 'POST', headers, agent, signal, limit, who, hasEffect: true }),
  )
  if (sent.status < 200 || sent.status > 299) throw refusalOf(sent, { who, ...connection })
  const mediaType = sent.headers['content-type'] ?? ''
  const wrong = verdictOn(sent, verdict)
  if (wrong !== null) throw new NodeFailure(`${who}: ${wrong}`)
  if (keeps && /json/.test(mediaType) && sent.body.length <= keptBytes)
    await kept.keep({ status: sent.status, body: sent.body.toString(), mediaType })
  return responseOf({ status: sent.status, body: sent.body, mediaType })
}

/** Calls `work`, which sends a request to `provider`, and records the outcome and the duration in the metrics. */
export async function counted(provider: string, work: () => Promise<Sent>): Promise<Sent> {
  const began = performance.now()
  const count = (outcome: Parameters<typeof countProviderCall>[1]): void =>
    countProviderCall(provider, outcome, performance.now() - began)
  try {
    const sent = await work()
    count(sent.status < 200 || sent.status > 299 ? 'refused' : 'answered')
    return sent
  } catch (error) {
    count('failed')
    throw error
  }
}

/**
 * Requests the state or the result of a job. Such a request costs nothing, so if it fails it is sent again, up to `looks` times in
 * all.
 */
async function look(parts: Parts, order: Outgoing): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const found = await lookOnce(parts, order)
    if (!(found instanceof NodeFailure)) return found
    if (attempt === looks)
      throw new NodeFailure(`${found.message} A later start goes on with the same job.`, { outcome: 'unknown' })
    const ms = Math.min((found.again?.afterSeconds ?? 1) * 1000, parts.connection.pollMs * 3 ** attempt)
    await wait(ms, undefined, { signal: parts.context.signal })
  }
}

/**
 * Sends one request for `look`. Returns the reply, or a failure after which another request may succeed; throws any other failure.
 */
async function lookOnce(parts: Parts, order: Outgoing): Promise<Response | NodeFailure> {
  const { connection, context, kept, verdict, who: itself } = parts
  const isItself = isAt(order.url, connection.url)
  const who = isItself ? itself : `The place its work is at (${new URL(order.url).host})`
  const agent = isItself ? connection.trusted : connection.guarded
  const sent = await send({ ...order, agent, signal: context.signal, limit, who, hasEffect: false }).catch(passing)
  if (sent instanceof NodeFailure) return sent
  const { status, headers } = sent
  if (status === 429 || status >= 500)
    return new NodeFailure(`${who} answered ${status}.`, { again: { afterSeconds: retryAfter(headers, 5) } })
  const wrong = verdictOn(sent, verdict)
  if (wrong !== null) {
    await kept.forget()
    throw new NodeFailure(`${who}: ${wrong}`)
  }
  if (isRedirect(sent) && order.follows) return look(parts, onward(sent, order))
  return responseOf({ ...sent, mediaType: headers['content-type'] ?? '' }, headers)
}

const verdictOn = ({ headers, body }: Sent, verdict: Verdict): string | null =>
  /json/.test(headers['content-type'] ?? '') ? verdict(body.toString()) : null

type KeptReply = ReturnType<typeof keptReply>

/**
 * Manages the saved reply to the paid request. `value`: the reply that this attempt, or an earlier attempt at the same call, has
 * saved; null if there is none.
 */
function keptReply({ checkpoint, seed, saveCheckpoint }: Context) {
  const found = checkpoint as Partial<Kept> | null // no other code writes this checkpoint
  let value: Kept | null = null
  if (found?.call === seed && found.reply !== undefined)
    value = { call: seed, reply: found.reply, isCharged: found.isCharged === true }
  const save = async (next: Kept | null): Promise<void> => {
    value = next
    await saveCheckpoint(next ?? {})
  }
  return {
    get value() {
      return value
    },
    keep: (reply: Kept['reply']) => save({ call: seed, reply, isCharged: false }),
    charge: async () => {
      if (value !== null) await save({ ...value, isCharged: true })
    },
    forget: async () => {
      if (value !== null) await save(null)
    },
  }
}

/** `follows`: how many redirects this code follows; 0 or absent if the package follows redirects itself. */
type Outgoing = { url: string; headers: Record<string, string>; body?: Buffer; follows?: number }

const isRedirect = ({ status, headers }: Sent): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined

/**
 * The request to the target of a redirect. It has none of the headers of the redirected request, because these contain the key. The
 * agent checks the target like any other address.
 */
function onward({ headers, url }: Sent, { follows = 0 }: Outgoing): Outgoing {
  const next = URL.parse(headers.location ?? '', url)
  if (next === null || !/^https?:$/.test(next.protocol)) throw new NodeFailure('It sends on to what is no web address.')
  return { url: next.href, headers: {}, follows: follows - 1 }
}

const isAt = (address: string, base: string): boolean => new URL(address).origin === new URL(base).origin

/** The address to use for a request. If `address` begins with one of the fixed addresses, `url` replaces that beginning. */
function placed(address: string, { url, fixed = [] }: Connection): string {
  const own = fixed.find((one) => address === one || address.startsWith(`${one}/`))
  return own === undefined ? address : `${url}${address.slice(own.length)}`
}

/** Thrown if the state or the result of a paid job cannot be fetched, and another request would not help. */
export class Unfetchable extends Error {}

const passing = (error: unknown): NodeFailure => {
  if (error instanceof NodeFailure && error.again !== null) return error
  throw error instanceof NodeFailure ? new Unfetchable(error.message, { cause: error.cause }) : error
}

type Reply = { status: number; body: Buffer; mediaType: string }

function responseOf({ status, body, mediaType }: Reply, headers: Record<string, string> = {}): Response {
  const { location } = headers
  const isBare = status === 204 || status === 304
  return new Response(isBare ? null : new Uint8Array(body), {
    status,
    headers: { 'content-type': mediaType, ...(location === undefined ? {} : { location }) },
  })
}
