// In charge of what a team does all day, as requests to a running service: the board, the lookup, tasks and creatives that
// change, files, runs, and pages that listen.
import { randomNumbers } from '../../server/test/support/random.ts'

export type Sent = { kind: string; ms: number; failure: string | null }
type Reply = { status: number; body: { data?: unknown } | null; text: string }
type Kind = { kind: string; share: number; does: () => Promise<void> }

const picture = { width: 364, height: 64 }
/** A small graph of free nodes: what a run costs besides calls to providers. */
const graph = {
  name: 'Soak',
  definition: {
    schema: 1,
    nodes: {
      rows: {
        ...{ type: 'list.collect', version: 1, params: {}, each: [] },
        inputs: { values: ['a', 'b', 'c'] },
      },
      picture: { type: 'sample.image', version: 1, params: picture, inputs: {}, each: ['prompt'] },
    },
    edges: [{ from: { node: 'rows', port: 'list' }, to: { node: 'picture', port: 'prompt' } }],
  },
}

/** Draws and sends one request after the other; `send` never throws: what went wrong is in what it gives. */
export async function createTraffic(base: string, token: string, seed: number) {
  const next = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)]
  const ask = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const raw = body instanceof Uint8Array
    const answer = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': raw ? 'text/plain' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: raw ? Buffer.from(body) : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : null, text }
  }
  const done = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const { status, body: answer, text } = await ask(method, path, body)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
    return Object(answer?.data)
  }

  const tasks: string[] = []
  const names: string[] = []
  const runs: string[] = []
  /** The newest of what was made: what a team works on. */
  const remember = (list: string[], value: unknown, most = 400): void => {
    list.push(String(value))
    if (list.length > most) list.shift()
  }
  let made = 0
  const createTask = async (): Promise<void> => {
    const task = await done('POST', '/api/v1/tasks', { name: `Soak ${++made}`, media_type: 'image' })
    const creative = await done('POST', `/api/v1/tasks/${task.id}/creatives`, {})
    remember(tasks, task.id)
    remember(names, creative.name)
  }
  const graphId = String((await done('POST', '/api/v1/graphs', graph)).id)
  for (let count = 0; count < 50; count += 1) await createTask()
  const someTask = (): string => pick(tasks) ?? ''

  const kinds: Kind[] = [
    { kind: 'board', share: 40, does: async () => void (await ask('GET', '/api/v1/tasks/board?limit=24')) },
    {
      kind: 'lookup',
      share: 25,
      does: async () => {
        const asked = { names: Array.from({ length: 10 }, () => pick(names) ?? ''), ad_ids: [] }
        await ask('POST', '/api/v1/integrations/creative-tests/creatives/lookup', asked)
      },
    },
    { kind: 'task', share: 10, does: async () => void (await done('GET', `/api/v1/tasks/${someTask()}`)) },
    {
      kind: 'change a task',
      share: 10,
      does: async () =>
        void (await done('PATCH', `/api/v1/tasks/${someTask()}`, { priority: 1 + Math.floor(next() * 5) })),
    },
    { kind: 'create a task', share: 5, does: createTask },
    {
      kind: 'delete and restore',
      share: 2,
      does: async () => {
        const task = await done('POST', '/api/v1/tasks', { name: `Deleted ${++made}` })
        await done('DELETE', `/api/v1/tasks/${task.id}`)
        await done('POST', `/api/v1/tasks/${task.id}/restore`)
        await done('DELETE', `/api/v1/tasks/${task.id}`)
      },
    },
    {
      kind: 'file',
      share: 5,
      does: async () => {
        const bytes = new TextEncoder().encode(`${next()}`.repeat(4_000))
        const { digest } = await done('POST', '/api/v1/files', bytes)
        await ask('GET', `/api/v1/files/${digest}`)
      },
    },
    {
      kind: 'start a run',
      share: 1,
      does: async () => {
        const run = await done('POST', `/api/v1/graphs/${graphId}/runs`, {})
        await done('POST', `/api/v1/runs/${run.id}/start`, {})
        remember(runs, run.id, 100)
      },
    },
    {
      kind: 'read a run',
      share: 2,
      does: async () => void (runs.length && (await done('GET', `/api/v1/runs/${pick(runs)}`))),
    },
  ]
  const whole = kinds.reduce((sum, { share }) => sum + share, 0)
  const drawn = (): Kind => {
    let left = next() * whole
    for (const kind of kinds) {
      left -= kind.share
      if (left < 0) return kind
    }
    throw new Error('The shares do not add up.')
  }

  return {
    /** One thing that somebody does; its time in ms, over all requests it takes. */
    async send(): Promise<Sent> {
      const { kind, does } = drawn()
      const started = performance.now()
      const failure = await does().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      return { kind, ms: performance.now() - started, failure }
    },
    /** A page that listens until `signal` aborts. */
    async listen(signal: AbortSignal): Promise<void> {
      const answer = await fetch(`${base}/api/v1/events`, { headers: { authorization: `Bearer ${token}` }, signal })
      for await (const _ of answer.body ?? []) if (signal.aborted) return
    },
  }
}

export type Traffic = Awaited<ReturnType<typeof createTraffic>>
