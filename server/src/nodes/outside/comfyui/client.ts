// In charge of requests to one ComfyUI server: it limits their time and size, counts them, and repeats those that failed and have
// no effect at ComfyUI.
import { setTimeout as wait } from 'node:timers/promises'
import { NodeFailure } from '../../node-type.ts'
import { type Connection, counted } from '../exchange.ts'
import { parse } from '../refusal.ts'
import { type Sent, send } from '../send.ts'
import { type Place, type Standing, standingInHistory, standingInQueue } from './replies.ts'

/** The maximum size of a reply, in bytes: of a reply that is a file, and of a reply in JSON. */
const limits = { file: 100_000_000, json: 20_000_000 } as const
const tries = 5
/** How long the requests that stop a job may take. A cancelled call does not wait for them. */
const patienceMs = 10_000

export type Client = {
  /** The state of a job. If `inQueue` is false, only ComfyUI's history is read, and a job that is not there counts as running. */
  stand(id: string, inQueue: boolean): Promise<Standing>
  submit(id: string, workflow: unknown): Promise<Sent>
  upload(bytes: Uint8Array, mediaType: string, name: string): Promise<Sent>
  view(place: Place): Promise<Sent>
  /** Removes the job from the queue, or interrupts it if it is running. Failures of these requests are ignored. */
  cancel(id: string): Promise<void>
}

/** The authorization header for a key; none if null. A key with a colon is user and password, for a proxy in front of ComfyUI. */
export const authorizationOf = (key: string | null): Record<string, string> => {
  if (key === null) return {}
  return { authorization: key.includes(':') ? `Basic ${Buffer.from(key).toString('base64')}` : `Bearer ${key}` }
}

type Asked = { method?: 'POST'; body?: string | Uint8Array; mediaType?: string; limit?: number; hasEffect?: boolean }

export function createClient(connection: Connection, signal: AbortSignal): Client {
  const { url, key, name, trusted: agent, pollMs } = connection
  const who = whoIs(connection)
  const once = (
    path: string,
    { mediaType, limit = limits.json, hasEffect = false, ...rest }: Asked,
    by: AbortSignal,
  ) => {
    const headers = { ...authorizationOf(key), ...(mediaType === undefined ? {} : { 'content-type': mediaType }) }
    return counted(name, () =>
      send({ url: `${url}${path}`, ...rest, headers, agent, limit, who, hasEffect, signal: by }),
    )
  }
  const post = (path: string, body: unknown, by = signal, hasEffect = false) =>
    once(path, { method: 'POST', body: JSON.stringify(body), mediaType: 'application/json', hasEffect }, by)
  const patiently = async (ask: () => Promise<Sent>): Promise<Sent> => {
    for (let attempt = 1; ; attempt++) {
      const sent = await ask().catch((error: unknown) => {
        if (error instanceof NodeFailure && error.again !== null) return error
        throw error
      })
      const isPassing = sent instanceof NodeFailure || sent.status === 429 || sent.status >= 500
      if (!isPassing) return sent
      if (attempt === tries) throw sent instanceof NodeFailure ? sent : troubled(who, sent.status)
      await wait(Math.min(pollMs * 3 ** attempt, 30_000), undefined, { signal })
    }
  }
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await patiently(() => once(path, {}, signal))
    const said = status === 200 ? parse(body) : undefined
    if (said === undefined) throw notItself(connection, `${path.split('/', 2).join('/')} with ${status}`)
    return said
  }
  const inHistory = async (id: string): Promise<Standing> => standingInHistory(await read(`/history/${id}`), id)
  return {
    stand: async (id, inQueue) => {
      const first = await inHistory(id)
      if (first.is !== 'absent') return first
      if (!inQueue) return { is: 'running' }
      const queued = standingInQueue(await read('/queue'), id)
      // The job may have moved from the queue to the history between the two requests, so the history is read once more.
      return queued.is === 'absent' ? inHistory(id) : queued
    },
    submit: (id, prompt) => post('/prompt', { prompt, prompt_id: id, client_id: 'atelier' }, signal, true),
    upload: async (bytes, type, filename) => {
      const form = new FormData()
      form.append('image', new Blob([new Uint8Array(bytes)], { type }), filename)
      form.append('type', 'input')
      const coded = new Response(form)
      const mediaType = coded.headers.get('content-type') ?? ''
      const body = Buffer.from(await coded.arrayBuffer())
      // The upload may be repeated: ComfyUI stores the same bytes under the same name only once.
      return patiently(() => once('/upload/image', { method: 'POST', body, mediaType }, signal))
    },
    view: ({ filename, subfolder, type }) => {
      const query = new URLSearchParams({ filename, subfolder, type })
      return patiently(() => once(`/view?${query}`, { limit: limits.file }, signal))
    },
    cancel: async (id) => {
      const by = AbortSignal.timeout(patienceMs)
      try {
        const { status } = await post(`/api/jobs/${id}/cancel`, {}, by)
        if (status < 400) return
        // ComfyUI releases before June 2026 do not know this request. In some of them `/interrupt` stops whatever job is running,
        // so it is sent only while the job to stop is running.
        await post('/queue', { delete: [id] }, by)
        const { body } = await once('/queue', {}, by)
        if (standingInQueue(parse(body), id).is === 'running') await post('/interrupt', { prompt_id: id }, by)
      } catch (error) {
        if (!(error instanceof NodeFailure) && !by.aborted) throw error
      }
    },
  }
}

export const whoIs = ({ title, url }: Connection): string => `${title} (${new URL(url).host})`

const troubled = (who: string, status: number): NodeFailure =>
  new NodeFailure(`${who} is in trouble (${status}).`, { again: { afterSeconds: 15 } })

export const notItself = (connection: Connection, what: string): NodeFailure =>
  new NodeFailure(
    `${whoIs(connection)} answers ${what}, as ComfyUI does not. An operator says where it is, by ATELIER_PROVIDER_URLS=comfyui=http://….`,
  )
