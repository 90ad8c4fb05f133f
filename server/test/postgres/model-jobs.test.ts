// Facts about jobs at model providers whose worker is killed between submit and fetch: no job is submitted twice.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { WorkerOrders } from '../support/chaos/worker.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { breakOff, hangUp, json, silence } from '../support/outside.ts'
import { type Answer, startProvider } from '../support/providers.ts'
import { makeRun, untilStatus } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    ...{ OPENAI_API_KEY: 'key', ATELIER_PROVIDER_URLS: 'compatible=http://127.0.0.1:1/v1' },
    ATELIER_PROVIDER_KEYS: 'bfl=key,google=key,fal=key,replicate=key,compatible=key',
  })
})
afterEach(killChildren)
afterAll(() => service?.close())

async function startWorker(painters: NonNullable<WorkerOrders['painters']>, crashAt: string): Promise<Child> {
  const orders: WorkerOrders = {
    ...{ url: service.url ?? '', files: service.config.files ?? '', provider: 'http://127.0.0.1:1', skewMs: 0 },
    timing: {
      heartbeatSeconds: 0.2,
      lostAfterSeconds: 60,
      pollSeconds: 0.1,
      cancelAfterSeconds: 1,
      resendSeconds: 0.2,
      strandedAfterSeconds: 60,
    },
    ...{ crashAt, painters },
  }
  const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(orders)])
  await child.printed(/working/)
  return child
}

/**
 * `ATELIER_TEST_KILLS=30` is the long form (`npm run kills`): every image provider at once, with faults, and that many kills.
 * `ATELIER_TEST_KILLS_FROM`: the number of the first kill; the numbers of kills decide at which crash points they happen.
 */
const kills = Number(process.env.ATELIER_TEST_KILLS ?? 1)
const from = Number(process.env.ATELIER_TEST_KILLS_FROM ?? 0)
const isLong = kills > 1
const models: Readonly<Record<string, string>> = {
  bfl: 'flux-2-pro',
  ...(isLong && {
    ...{ openai: 'gpt-image-2', compatible: 'painter', google: 'gemini-3-pro-image' },
    ...{ fal: 'fal-ai/flux/dev', replicate: 'black-forest-labs/flux-schnell' },
  }),
}
/** For each provider: the number of concurrent calls, and the number of pictures. */
const [calls, items] = isLong ? [4, kills * 4] : [1, 2]
/** Crash points: the provider's reply is stored; a request is about to be sent; the picture has arrived; the picture is stored. */
const points = ['checkpoint-saved', 'intent-saved', 'called', 'result-saved']

/** `isFree`: the response says that the provider has done nothing, so that nothing can have been charged. */
type Trouble = { answer: Answer; isFree: boolean }
const refused = (status: number, says: string, headers = {}): Trouble => ({
  ...{ answer: json({ error: { message: says }, detail: says }, status, headers), isFree: true },
})
const troubles: readonly Trouble[] = [
  refused(429, 'Too many requests.', { 'retry-after': '1' }),
  { answer: hangUp, isFree: false },
  refused(400, 'Blocked: moderation'),
  { answer: breakOff, isFree: false },
  refused(404, 'The model was shut down.'),
  { answer: json({}, 502), isFree: false },
  refused(500, 'It broke.'),
]
/** No response at all: only a kill ends such a call within ten minutes, so this fault comes first, when kills are still to come. */
const silent: Trouble = { answer: silence, isFree: false }
/** Request number → its fault, or null. Every fifth request of the first half has one: first `silent`, then `troubles` in turn. */
const troubled = Array.from({ length: isLong ? items / 2 : 0 }, (_, at) =>
  at % 5 === 4 ? (at === 4 ? silent : (troubles[Math.floor(at / 5) % troubles.length] ?? null)) : null,
)
const answers = troubled.map((trouble) => trouble?.answer ?? null)

const say = (line: object): void => {
  if (isLong) process.stdout.write(`${JSON.stringify(line)}\n`)
}

const openCalls = async (): Promise<number> =>
  (await service.rows(`select count(*)::int as calls from credit_entries where outcome = 'intended'`))[0]?.calls

/** Waits until the runs have ended, however long that takes; rejects if no call is settled for the time limit of `eventually`. */
async function untilSettled(ids: readonly string[]): Promise<void> {
  const look = async (): Promise<{ busy: number; settled: number }> => {
    const rows = await service.rows(
      `select (select count(*)::int from runs where id = any($1) and status in ('queued', 'running')) as busy,
        (select count(*)::int from credit_entries where outcome <> 'intended') as settled`,
      [ids],
    )
    return rows[0]
  }
  for (let before = await look(); before.busy > 0; ) {
    const goesOn = async () => {
      const now = await look()
      if (now.busy > 0 && now.settled <= before.settled) throw new Error(`${now.busy} runs do not go on`)
      return now
    }
    before = await eventually(goesOn)
  }
}

test('crash: a job is gone on with by the next worker; requests, ledger and what is unknown agree', {
  timeout: 3_600_000,
}, async () => {
  const asked = await Promise.all(
    Object.entries(models).map(async ([provider, model]) => {
      const here = await startProvider(provider, answers)
      const values = Array.from({ length: items }, (_, at) => `flask ${at}`)
      const definition = definitionOf(
        {
          list: { type: 'list.collect', inputs: { values } },
          paint: { type: 'image.generate', params: { model: `${provider}:${model}` }, each: ['prompt'] },
        },
        'list.list > paint.prompt',
      )
      const { id } = await makeRun(service, definition, { execute: true })
      return { provider, here, id }
    }),
  )
  const painters = { urls: Object.fromEntries(asked.map(({ provider, here }) => [provider, here.url])), calls }
  const ids = asked.map(({ id }) => id)
  const settled = untilSettled(ids)
  let interrupted = 0
  for (let killed = 0; killed < kills; killed++) {
    const nth = from + killed
    const at = `${points[nth % points.length]}:${isLong ? 1 + (nth % 7) : 1}`
    const worker = await startWorker(painters, at)
    const ended = await Promise.race([worker.ended, settled])
    expect(ended, `${at} was not reached before everything was settled`).toMatchObject({ signal: 'SIGKILL' })
    const open = await openCalls()
    interrupted += open
    say({ kill: killed + 1, at, open, interrupted })
    // A worker counts as lost only after 60 s without a heartbeat, to spare slow workers. To save this time, the test sets the
    // last heartbeat back by an hour.
    // `deaths = 0`, so that no run is given up after many kills.
    await service.rows(`update runs set heartbeat_at = now() - interval '1 hour', deaths = 0`)
  }
  const last = await startWorker(painters, '')
  await settled
  const runs = await Promise.all(ids.map((id) => untilStatus(service, id, 'succeeded', 'failed')))
  last.kill('SIGKILL')

  for (const [at, { provider, here, id }] of asked.entries()) {
    const ledger: Body[] = await service.rows('select id, outcome from credit_entries where run_id = $1', [id])
    const booked = (outcome: string) => ledger.filter((entry) => entry.outcome === outcome).map((entry) => entry.id)
    const requests = here.paid().map(({ headers }) => String(headers['idempotency-key']))
    const paid = requests.filter((_, nth) => troubled[nth]?.isFree !== true)
    const made = Object.values<Body>(runs[at].nodes.paint.items).filter(({ status }) => status === 'succeeded').length
    const [charged, unknown] = [booked('charged'), booked('unknown')]
    const counts = { requests: requests.length, paid: paid.length, charged: charged.length, unknown: unknown.length }
    say({ provider, kills, interrupted, made, ...counts })

    expect(new Set(paid).size, provider).toBe(paid.length)
    expect(charged.filter((unit) => !paid.includes(unit))).toEqual([])
    const known = new Set([...charged, ...unknown])
    expect(paid.filter((unit) => !known.has(unit))).toEqual([])
    const entries = new Set(ledger.map((entry) => entry.id))
    expect(requests.filter((unit) => !entries.has(unit))).toEqual([])
    expect([ledger.length, made]).toEqual([items, charged.length])
    // In the short form only one call is open at a time, so every job that was submitted is continued.
    if (!isLong) expect([unknown.length, charged.length, requests.length]).toEqual([0, 2, 2])
  }
})
