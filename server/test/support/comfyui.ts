// In charge of a fake ComfyUI on this machine: its requests, states and responses follow ComfyUI's server.py and execution.py,
// and it can fail in the ways that a test chooses.
import { onTestFinished } from 'vitest'
import { json, type Outside, type Seen, serveOutside, text } from './outside.ts'
import { pngChunk } from './png-chunk.ts'
import { type Answer, mp4, png } from './providers.ts'

/** A workflow in API format, with a node that takes a text and a node that takes a picture. */
export const workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, steps: 20, positive: ['6', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a flask', clip: ['4', 1] }, _meta: { title: 'Prompt' } },
  '9': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'made' } },
  '10': { class_type: 'LoadImage', inputs: { image: 'none.png' } },
}

/** A picture as ComfyUI's save node writes it: a PNG text chunk named `prompt` contains the workflow. */
const withWorkflow = Buffer.concat([
  png.subarray(0, 33), // the PNG signature and header
  pngChunk('tEXt', `prompt\0${JSON.stringify(workflow)}`),
  png.subarray(33),
])

/** An error response to the request that sends a job; if `takes` is true, the job is queued in spite of the error. */
type Trouble = { answer: Answer; takes: boolean }
type Job = { id: string; number: number; prompt: Record<string, unknown>; looks: number }
type Options = {
  /** For each job that is sent, in order: what goes wrong; null or past the end: nothing. */
  troubles?: readonly (Trouble | null)[]
  /** Error responses to the first requests for the state of a job, counted from when the first workflow was sent. */
  lookTroubles?: readonly Answer[]
  /** How many requests for the state of a job it takes until the job is done. */
  looks?: number
  /** The history entry of a finished job. */
  entry?: (job: Job) => object
  /** Whether to act as an old release of ComfyUI, which has no API for single jobs. */
  isOld?: boolean
}

export type ComfyUiHere = Pick<Outside, 'url' | 'seen'> & {
  /** Workflows that were sent, including those that got an error response. */
  sent(): { prompt_id: string; prompt: Record<string, { inputs: Record<string, unknown> }> }[]
  uploads(): Seen[]
  /** Ids of the jobs that were carried out to their end, in order. */
  done: string[]
  cancelled: string[]
  /** Empties the queue and the history, as a restart of ComfyUI does. */
  forget(): void
  /** While `isHeld` is true, no job in the queue makes progress. */
  hold(isHeld: boolean): void
}

export const files = [
  { filename: 'made_00001_.png', subfolder: '', type: 'output' },
  { filename: 'shown_00001_.png', subfolder: '', type: 'temp' },
]

const messages = ({ id }: Job, ms: number) => [
  ['execution_start', { prompt_id: id, timestamp: 1_790_000_000_000 }],
  ['execution_cached', { nodes: [], prompt_id: id, timestamp: 1_790_000_000_100 }],
  ['execution_success', { prompt_id: id, timestamp: 1_790_000_000_000 + ms }],
]

/** `ms`: how long ComfyUI says that it worked on the job. */
export const succeeded = (job: Job, outputs: object = { '9': { images: files } }, ms = 340) => ({
  prompt: [job.number, job.id, job.prompt, { client_id: 'atelier' }, ['9']],
  outputs,
  status: { status_str: 'success', completed: true, messages: messages(job, ms) },
  meta: {},
})

export const broken = (job: Job) => ({
  ...succeeded(job, {}),
  status: {
    status_str: 'error',
    completed: false,
    messages: [
      ...messages(job, 0).slice(0, 1),
      [
        'execution_error',
        {
          ...{ prompt_id: job.id, node_id: '3', node_type: 'KSampler', executed: [] },
          ...{ exception_message: 'CUDA out of memory.', exception_type: 'OutOfMemoryError', traceback: ['File …'] },
        },
      ],
    ],
  },
})

/** The validation error for a model that does not exist. */
export const invalid = {
  error: {
    ...{ type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' },
    extra_info: {},
  },
  node_errors: {
    '4': {
      errors: [
        {
          ...{ type: 'value_not_in_list', message: 'Value not in list' },
          ...{ details: "ckpt_name: 'x.safetensors' not in []", extra_info: {} },
        },
      ],
      dependent_outputs: ['9'],
      class_type: 'CheckpointLoaderSimple',
    },
  },
}

export async function startComfyUi(options: Options = {}): Promise<ComfyUiHere> {
  const { close, ...here } = await serveComfyUi(options)
  onTestFinished(close)
  return here
}

/** Starts a fake ComfyUI that several tests of a file can share; it runs until `close` is called. */
export async function serveComfyUi({
  troubles = [],
  lookTroubles = [],
  looks = 2,
  entry = succeeded,
  isOld = false,
}: Options = {}) {
  const [trouble, lookTrouble] = [[...troubles], [...lookTroubles]]
  const queue: Job[] = []
  const history = new Map<string, object>()
  const done: string[] = []
  const cancelled: string[] = []
  const sent: ReturnType<ComfyUiHere['sent']> = []
  const uploads: Seen[] = []
  let [number, isHeld] = [0, false]

  const take = ({ prompt_id: id, prompt }: ReturnType<ComfyUiHere['sent']>[number]): void => {
    queue.push({ id, number: number++, prompt, looks: 0 })
  }
  /** Moves the running job, which is the first in the queue, one step on: it is done at the `looks`-th step. */
  const work = (): void => {
    const [job] = queue
    if (!job || isHeld) return
    job.looks += 1
    if (job.looks < looks) return
    queue.shift()
    done.push(job.id)
    history.set(job.id, entry(job))
  }
  const asQueued = ({ number: at, id, prompt }: Job) => [at, id, prompt, { client_id: 'atelier' }, ['9']]
  const remove = (id: string): boolean => {
    const at = queue.findIndex((job) => job.id === id)
    if (at < 0) return false
    queue.splice(at, 1)
    cancelled.push(id)
    return true
  }
  const post = (seen: Seen): Answer => {
    const body = JSON.parse(seen.body)
    sent.push(body)
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(body.prompt_id)
    if (!isId) return json({ error: { type: 'invalid_prompt_id', message: 'no id' }, node_errors: {} }, 400)
    const next = trouble.shift() ?? null
    if (next?.takes !== false) take(body)
    return next?.answer ?? json({ prompt_id: body.prompt_id, number: number - 1, node_errors: {} })
  }
  const historyOf = (id: string): Answer => {
    const troubled = sent.length > 0 ? lookTrouble.shift() : undefined
    if (troubled) return troubled
    work()
    const found = history.get(id)
    return json(found ? { [id]: found } : {})
  }
  const upload = (seen: Seen): Answer => {
    uploads.push(seen)
    return json({ name: /filename="([^"]+)"/.exec(seen.body)?.[1] ?? '', subfolder: '', type: 'input' })
  }
  /** Removes waiting jobs from the queue, but never the running job, which is the first one. */
  const dequeue = ({ body }: Seen): Answer => {
    for (const id of JSON.parse(body).delete) if (queue.findIndex((job) => job.id === id) > 0) remove(id)
    return text('')
  }
  const interrupt = ({ body }: Seen): Answer => {
    if (queue[0]?.id === JSON.parse(body).prompt_id) remove(queue[0]?.id ?? '')
    return text('')
  }
  const film = text(mp4, { 'content-type': 'video/mp4' })
  const picture = text(withWorkflow, { 'content-type': 'image/png' })
  const routes: Readonly<Record<string, (seen: Seen, path: readonly string[]) => Answer>> = {
    'GET queue': () =>
      json({ queue_running: queue.slice(0, 1).map(asQueued), queue_pending: queue.slice(1).map(asQueued) }),
    'GET history': (_, [, id = '']) => historyOf(id),
    'GET view': ({ path }) => (path.includes('.mp4') ? film : picture),
    'POST upload': upload,
    'POST queue': dequeue,
    'POST interrupt': interrupt,
    'POST prompt': post,
    ...(isOld ? {} : { 'POST api': (_, [, , id = '']) => json({ cancelled: remove(id) }) }),
  }
  const answerTo = (seen: Seen): Answer => {
    const path = new URL(seen.path, 'http://comfyui').pathname.slice(1).split('/')
    return routes[`${seen.method} ${path[0]}`]?.(seen, path) ?? text('404: Not Found', undefined, 404)
  }
  const outside = await serveOutside((response, seen) => answerTo(seen)(response, seen))
  return {
    ...{ url: outside.url, seen: outside.seen, close: outside.close, done, cancelled },
    sent: () => sent,
    uploads: () => uploads,
    forget: () => {
      queue.length = 0
      history.clear()
    },
    hold: (held: boolean) => {
      isHeld = held
    },
  }
}
