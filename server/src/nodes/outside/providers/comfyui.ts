// In charge of ComfyUI: workflows on the operator's own machine, by ComfyUI's own API. This code chooses the id of each job, so
// that it can ask ComfyUI whether the job exists before sending it, and can find the job again after a crash.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { Cancelled, NodeFailure } from '../../node-type.ts'
import { authorizationOf, type Client, createClient, notItself, whoIs } from '../comfyui/client.ts'
import { faultsIn, type Place, type Standing } from '../comfyui/replies.ts'
import { filled } from '../comfyui/workflow.ts'
import type { Connection } from '../exchange.ts'
import type { Made, Media, ModelCall, WorkflowReply, WorkflowRequest } from '../models.ts'
import type { Provider } from '../provider.ts'
import { parse, refusalOf } from '../refusal.ts'
import { plainText, type Sent } from '../send.ts'

export const comfyUi: Provider = {
  name: 'comfyui',
  title: 'ComfyUI',
  url: null,
  check: (url, key) => ({ url: `${url}/system_stats`, headers: authorizationOf(key) }),
  models: (connection) => ({ workflow: (_, request, call) => perform(connection, request, call) }),
}

/**
 * The checkpoint: the job that a call has sent. `call`: the seed of that call; a call with another seed must not use the job.
 * `unit`: the idempotency key of that call, which is a new one in each start of the run. `isAccepted`: whether ComfyUI confirmed
 * the job. `isCharged`: whether an attempt was already charged for the job.
 */
type Job = { call: string; unit: string; id: string; isAccepted: boolean; isCharged: boolean }
type Parts = { connection: Connection; client: Client; request: WorkflowRequest; call: ModelCall; keep: Keep }
type Keep = (job: Job | null) => Promise<void>

async function perform(
  connection: Connection,
  request: WorkflowRequest,
  call: ModelCall,
): Promise<Made<WorkflowReply>> {
  const { signal } = call
  const client = createClient(connection, signal)
  let job = keptJob(call)
  const keep: Keep = async (next) => {
    job = next
    await call.saveCheckpoint(next ?? {})
  }
  const stop = (): void => {
    if (job !== null && signal.reason instanceof Cancelled) void client.cancel(job.id)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const parts: Parts = { connection, client, request, call, keep }
    const begun = await begin(parts, job)
    const { places, seconds: said } = await finished(parts, begun.id)
    const seconds = believable(said, request.seconds, begun.sentAt)
    const { files, left } = await fetched(parts, places)
    const time = seconds === null ? [] : [`ComfyUI worked on it for ${seconds} s.`]
    const note = [...time, ...begun.notes, ...left].join(' ')
    const charge = async (): Promise<void> => {
      if (job !== null) await keep({ ...job, isCharged: true })
    }
    const isCharged = job?.isCharged === true
    return { made: { files, seconds }, note: note === '' ? null : note, usage: null, isCharged, charge }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function keptJob({ checkpoint, seed }: ModelCall): Job | null {
  const { call, unit, id, isAccepted, isCharged } = (checkpoint ?? {}) as Partial<Job> // no other code writes this checkpoint
  if (call !== seed || unit === undefined || id === undefined) return null
  return { call, unit, id, isAccepted: isAccepted === true, isCharged: isCharged === true }
}

/**
 * How long ComfyUI worked on a job, in seconds; null if the duration `said` is longer than the job can have taken. ComfyUI reports the
 * start and the end by its machine's clock, and that clock may have been changed between them. `sentAt`: when this attempt sent the
 * job, by the clock of `performance.now()`, which is never changed.
 */
function believable(said: number | null, longest: number, sentAt: number | null): number | null {
  const own = sentAt === null ? longest : Math.ceil((performance.now() - sentAt) / 1000)
  return said !== null && said <= Math.min(longest, own) ? said : null
}

/** `sentAt`: when this attempt sent the job, as `performance.now()`; null if an earlier attempt sent it. */
type Begun = { id: string; notes: string[]; sentAt: number | null }

/** Finds the job that an earlier attempt sent, in this start of the run or an earlier one. If there is none, sends a new job. */
async function begin(parts: Parts, kept: Job | null): Promise<Begun> {
  const { connection, client, call } = parts
  const id = kept?.id ?? call.unit
  const standing = await client.stand(id, true).catch((error: unknown) => {
    throw kept === null ? error : unseen(error)
  })
  const isOfThisStart = kept === null || kept.unit === call.unit
  if (standing.is === 'absent') {
    if (kept?.isAccepted && isOfThisStart) throw forgotten(connection)
    return submit(parts)
  }
  // If the job failed in an earlier start of the run, a person has since started the run again, so a new job is sent.
  if (standing.is === 'failed' && !isOfThisStart) return submit(parts)
  return { id, notes: [], sentAt: null }
}

async function submit(parts: Parts): Promise<Begun> {
  const { connection, client, request, call, keep } = parts
  const values = await Promise.all(
    request.values.map(async (one) => ({ ...one, value: await placed(parts, one.value) })),
  )
  const workflow = filled(request.workflow, values)
  const job: Job = { call: call.seed, unit: call.unit, id: call.unit, isAccepted: false, isCharged: false }
  await keep(job)
  const sentAt = performance.now()
  const sent = await client.submit(job.id, workflow).catch((error: unknown) => {
    if (error instanceof NodeFailure && error.outcome === 'unknown' && !call.signal.aborted) return error
    throw error
  })
  const said = sent instanceof NodeFailure ? null : parse(sent.body)
  const given = isPlainObject(said) && typeof said.prompt_id === 'string' ? said.prompt_id : null
  const isTaken = !(sent instanceof NodeFailure) && sent.status < 300 && given !== null
  // If ComfyUI refused the request, there is no job. After any other error the job may exist, so `isThere` looks for it.
  const isRefused = !(sent instanceof NodeFailure) && sent.status >= 300 && sent.status < 500
  if (!isTaken && (isRefused || !(await isThere(parts, job.id)))) {
    const why = sent instanceof NodeFailure ? sent : refused(connection, sent, said)
    if (why.outcome !== 'unknown') await keep(null)
    throw why
  }
  // Older releases of ComfyUI ignore the id in the request, choose another id, and return it in the reply.
  const accepted = { ...job, id: given ?? job.id, isAccepted: true }
  await keep(accepted)
  const faults = isTaken ? faultsIn({ node_errors: Object(said).node_errors }) : ''
  return { id: accepted.id, notes: faults === '' ? [] : [`Some of the workflow was left out: ${faults}.`], sentAt }
}

async function isThere({ client, connection }: Parts, id: string): Promise<boolean> {
  for (let looks = 1; looks <= 3; looks++) {
    const standing = await client.stand(id, true).catch((error: unknown) => {
      throw unseen(error)
    })
    if (standing.is !== 'absent') return true
    await wait(connection.pollMs)
  }
  return false
}

function refused(connection: Connection, sent: Sent, said: unknown): NodeFailure {
  const who = whoIs(connection)
  if (sent.status >= 200 && sent.status < 300) return notItself(connection, `a workflow with ${sent.status}`)
  const faults = sent.status === 400 ? faultsIn(said) : ''
  if (faults !== '') return new NodeFailure(`${who} does not take the workflow: ${faults}.`)
  return refusalOf(sent, { who, ...connection })
}

/** If the value is a file, uploads it and returns its name at ComfyUI; returns any other value unchanged. */
async function placed({ connection, client }: Parts, value: string | number | boolean | Media) {
  if (typeof value !== 'object') return value
  const { bytes, mediaType } = value
  const ending = /^\w+\/(\w+)/.exec(mediaType)?.[1] ?? 'bin'
  const name = `atelier-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`
  const sent = await client.upload(bytes, mediaType, name)
  if (sent.status < 200 || sent.status > 299) throw refusalOf(sent, { who: whoIs(connection), ...connection })
  const said = parse(sent.body)
  if (!isPlainObject(said) || typeof said.name !== 'string') throw notItself(connection, 'a file without its name')
  return said.subfolder ? `${said.subfolder}/${said.name}` : said.name
}

/** Waits until a job is done. The queue is a large reply, so only looks 1, 2, 4, 8 and then every 16th also read the queue. */
async function finished(parts: Parts, id: string): Promise<Extract<Standing, { is: 'done' }>> {
  const { connection, client, request, call, keep } = parts
  const until = performance.now() + request.seconds * 1000
  for (let looks = 1; ; looks++) {
    const inQueue = looks % 16 === 0 || Number.isInteger(Math.log2(looks))
    const standing = await client.stand(id, inQueue).catch((error: unknown) => {
      throw unseen(error)
    })
    if (standing.is === 'done') return standing
    if (standing.is === 'absent') throw forgotten(connection)
    if (standing.is === 'failed') {
      await keep(null)
      throw new NodeFailure(`${whoIs(connection)}: ${standing.why}`)
    }
    if (performance.now() >= until) {
      await client.cancel(id)
      await keep(null)
      throw new NodeFailure(
        `${whoIs(connection)} was not done after ${request.seconds} s, with what waited before it. The job was stopped there. Raise “Longest”, or send it fewer at a time (ATELIER_PROVIDER_LIMITS).`,
      )
    }
    const isWaiting = standing.is === 'waiting'
    const words = isWaiting ? `ComfyUI has ${standing.ahead} before it.` : 'ComfyUI is at work.'
    call.progress(isWaiting ? 0 : looks / (looks + 20), words)
    await wait(connection.pollMs, undefined, { signal: call.signal })
  }
}

const types: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif' },
  ...{ mp4: 'video/mp4', webm: 'video/webm' },
}
const typeOf = ({ filename }: Place): string | undefined => types[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? '']

/** How many files of one job are taken at most, and how many bytes they may have together. */
const most = { files: 50, bytes: 200_000_000 } as const

async function fetched({ connection, client, keep }: Parts, places: readonly Place[]) {
  const who = whoIs(connection)
  const known = places.filter((place) => typeOf(place) !== undefined)
  const useless = async (words: string): Promise<NodeFailure> => {
    await keep(null)
    return new NodeFailure(`${who} ${words}`)
  }
  if (known.length === 0)
    throw await useless(
      'did the workflow, and gave neither pictures nor videos. It needs a node such as Save Image; one that runs again with nothing changed may give nothing: name its seed in “Seed”.',
    )
  const files: Media[] = []
  let bytes = 0
  for (const place of known.slice(0, most.files)) {
    const { status, body } = await client.view(place).catch((error: unknown) => {
      throw unseen(error)
    })
    if (status !== 200) throw await useless(`does not have ${plainText(place.filename, 100)} any more (${status}).`)
    bytes += body.length
    if (bytes > most.bytes) throw await useless(`made more than ${most.bytes / 1_000_000} MB, which is not taken.`)
    files.push({ bytes: body, mediaType: typeOf(place) ?? '' })
  }
  const left = places.length - files.length
  return { files, left: left === 0 ? [] : [`${left} files of it were not taken.`] }
}

/**
 * The error if a request about an existing job fails. The outcome is `unknown`, because ComfyUI may finish the job all the same: so
 * only a later start of the run, which finds the job, goes on with it.
 */
const unseen = (error: unknown): unknown =>
  error instanceof NodeFailure
    ? new NodeFailure(`${error.message} A later start goes on with the same job.`, { outcome: 'unknown', cause: error })
    : error

const forgotten = (connection: Connection): NodeFailure =>
  new NodeFailure(
    `${whoIs(connection)} does not know the job any more: it was started again, or its history was cleared.`,
    { outcome: 'unknown' },
  )
