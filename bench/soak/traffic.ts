// In charge of sending a team's typical requests to a running service: the board, the lookup, new and changed tasks, creatives,
// files, runs, and pages that listen for events.
import { randomNumbers } from '../../server/test/support/random.ts'

export type Sent = { kind: string; ms: number; failure: string | null }
type Kind = { kind: string; share: number; does: () => Promise<void> }

const picture = { width: 364, height: 64 }
/** A small graph whose nodes call no provider, so that only the service's own work for a run is measured. */
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

type Done = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>
type Team = { done: Done; read(path: string): Promise<void>; next: () => number; graphId: string }

/** Sends requests; throws if the status of a response is not 200. */
function caller(base: string, token: string): Pick<Team, 'done' | 'read'> {
  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
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
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
  return {
    done: async (...asked) => Object(JSON.parse(await ask(...asked)).data),
    read: async (path) => void (await ask('GET', path)),
  }
}

/** The kinds of work, each with its share in percent. */
function kindsOf({ done, read, next, graphId }: Team): { kinds: Kind[]; createTask: () => Promise<void> } {
  const [tasks, names, runs]: [string[], string[], string[]] = [[], [], []]
  let made = 0
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? ''
  /** Adds an id or name to a list, and keeps only the newest 400 in the list, since a team works on new records. */
  const remember = (list: string[], value: unknown): void => {
    list.push(String(value))
    if (list.length > 400) list.shift()
  }
  const createTask = async (): Promise<void> => {
    const task = await done('POST', '/api/v1/tasks', { name: `Soak ${++made}`, media_type: 'image' })
    remember(tasks, task.id)
    remember(names, (await done('POST', `/api/v1/tasks/${task.id}/creatives`, {})).name)
  }
  const lookup = async (): Promise<void> => {
    const asked = { names: Array.from({ length: 10 }, () => pick(names)), ad_ids: [] }
    await done('POST', '/api/v1/integrations/creative-tests/creatives/lookup', asked)
  }
  const changeTask = async (): Promise<void> => {
    await done('PATCH', `/api/v1/tasks/${pick(tasks)}`, { priority: 1 + Math.floor(next() * 5) })
  }
  const deleteTask = async (): Promise<void> => {
    const path = `/api/v1/tasks/${(await done('POST', '/api/v1/tasks', { name: `Deleted ${++made}` })).id}`
    await done('DELETE', path)
    await done('POST', `${path}/restore`)
    await done('DELETE', path)
  }
  const keepFile = async (): Promise<void> => {
    const { digest } = await done('POST', '/api/v1/files', new TextEncoder().encode(`${next()}`.repeat(4_000)))
    await read(`/api/v1/files/${digest}`)
  }
  const startRun = async (): Promise<void> => {
    const { id } = await done('POST', `/api/v1/graphs/${graphId}/runs`, {})
    await done('POST', `/api/v1/runs/${id}/start`, {})
    remember(runs, id)
  }
  const kinds: Kind[] = [
    { kind: 'board', share: 40, does: () => read('/api/v1/tasks/board?limit=24') },
    { kind: 'lookup', share: 25, does: lookup },
    { kind: 'task', share: 10, does: () => read(`/api/v1/tasks/${pick(tasks)}`) },
    { kind: 'change a task', share: 10, does: changeTask },
    { kind: 'create a task', share: 5, does: createTask },
    { kind: 'delete and restore', share: 2, does: deleteTask },
    { kind: 'file', share: 5, does: keepFile },
    { kind: 'start a run', share: 1, does: startRun },
    {
      kind: 'read a run',
      share: 2,
      does: async () => (runs.length === 0 ? undefined : read(`/api/v1/runs/${pick(runs)}`)),
    },
  ]
  return { kinds, createTask }
}

/** Makes a graph and 50 tasks, and returns functions that send requests; the same seed draws the same kinds of work. */
export async function createTraffic(base: string, token: string, seed: number) {
  const next = randomNumbers(seed)
  const { done, read } = caller(base, token)
  const graphId = String((await done('POST', '/api/v1/graphs', graph)).id)
  const { kinds, createTask } = kindsOf({ done, read, next, graphId })
  for (let count = 0; count < 50; count += 1) await createTask()
  const draw = (): Kind => {
    let left = next() * 100
    for (const kind of kinds) {
      left -= kind.share
      if (left < 0) return kind
    }
    throw new Error('The shares are less than a hundred.')
  }
  return {
    /**
     * Does one piece of work of a kind drawn at random. Returns how many ms its requests took in all, and the error if one failed.
     */
    async send(): Promise<Sent> {
      const { kind, does } = draw()
      const started = performance.now()
      const failure = await does().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      return { kind, ms: performance.now() - started, failure }
    },
    /** Listens for events like an open page, until `signal` aborts. */
    async listen(signal: AbortSignal): Promise<void> {
      const answer = await fetch(`${base}/api/v1/events`, { headers: { authorization: `Bearer ${token}` }, signal })
      for await (const _ of answer.body ?? []) if (signal.aborted) return
    },
  }
}

export type Traffic = Awaited<ReturnType<typeof createTraffic>>
