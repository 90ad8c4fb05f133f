// In charge of what one call of a provider's package sends: the `fetch` it is given. It sends one request that is paid
// for, tells failures apart by what they mean for a bill, and keeps the reply, so that a later attempt goes on with it.
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { countProviderCall } from '../../platform/counts.ts'
import { type NodeContext, NodeFailure } from '../node-type.ts'
import { refusalOf } from './refusal.ts'
import { retryAfter, type Sent, send } from './send.ts'

/** Where a provider is reached. */
export type Connection = {
  /** What it is called in settings, and where calls are counted. */
  name: string
  /** What people call it. */
  title: string
  url: string
  /** Null for a service that wants none. */
  key: string | null
  /** How an operator sets the key, for what is said to people. */
  keySetting: string
  /** Connects to the provider itself, wherever the operator put it. */
  trusted: Dispatcher
  /** For addresses that the provider names: public ones. */
  guarded: Dispatcher
  /** Addresses that a package has in its code, which stand for `url` here. */
  fixed?: readonly string[]
  /** Milliseconds between two looks at a job. */
  pollMs: number
}

type Context = Pick<NodeContext, 'unit' | 'seed' | 'signal' | 'checkpoint' | 'saveCheckpoint'>

/** What a checkpoint keeps of a reply. `call`: the seed of the call it is the reply to. */
type Kept = { call: string; reply: { status: number; body: string; mediaType: string }; isCharged: boolean }

export type Exchange = {
  fetch: typeof globalThis.fetch
  /** Whether the provider has taken the request. */
  isSent(): boolean
  /** Whether an earlier attempt has been charged for what the provider made. */
  isCharged(): boolean
  /** Notes that the call is charged although nothing came of it yet: a later attempt goes on for nothing. */
  charge(): Promise<void>
}

/** Bytes of an answer at most: less than a file may have by default. */
const limit = 100_000_000
/** A reply that names a job or an address is small; one with the work itself in it is not kept, as the result follows. */
const keptBytes = 100_000
const looks = 6

/** Says what is wrong with a job by a provider's reply, in words; null where nothing is. */
type Verdict = (body: string) => string | null
/** `keeps`: false where the reply is all there is to come, and the result is saved at once. */
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

/** Sends, and counts what came back. */
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

/** A look costs nothing, and is repeated where it does not work out. */
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

/** What a look finds; a failure where another look may find more. */
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

/** The reply to the paid request: what an earlier attempt at the same call kept, and what this one keeps. */
function keptReply({ checkpoint, seed, saveCheckpoint }: Context) {
  const found = checkpoint as Partial<Kept> | null // nothing else writes it
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

/** `follows`: how many redirects are followed here; a package that follows them itself asks for none. */
type Outgoing = { url: string; headers: Record<string, string>; body?: Buffer; follows?: number }

const isRedirect = ({ status, headers }: Sent): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined

/** The address that is sent on to, which is judged like any other, without credentials. */
function onward({ headers, url }: Sent, { follows = 0 }: Outgoing): Outgoing {
  const next = URL.parse(headers.location ?? '', url)
  if (next === null || !/^https?:$/.test(next.protocol)) throw new NodeFailure('It sends on to what is no web address.')
  return { url: next.href, headers: {}, follows: follows - 1 }
}

const isAt = (address: string, base: string): boolean => new URL(address).origin === new URL(base).origin

/** The same address with the operator's in place of the one that the package has in its code. */
function placed(address: string, { url, fixed = [] }: Connection): string {
  const own = fixed.find((one) => address === one || address.startsWith(`${one}/`))
  return own === undefined ? address : `${url}${address.slice(own.length)}`
}

/** What was paid for cannot be fetched, and looking again will not help. */
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
