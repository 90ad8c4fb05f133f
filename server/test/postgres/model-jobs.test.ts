// Facts about jobs at providers of models whose worker is killed between submitting and fetching: nothing is sent twice.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { WorkerOrders } from '../support/chaos/worker.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { startProvider } from '../support/providers.ts'
import { makeRun, untilStatus } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ATELIER_PROVIDER_KEYS: 'bfl=key' })
})
afterEach(killChildren)
afterAll(() => service?.close())

async function startWorker(painter: NonNullable<WorkerOrders['painter']>, crashAt: string): Promise<Child> {
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
    ...{ crashAt, painter },
  }
  const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(orders)])
  await child.printed(/working/)
  return child
}

/** `ATELIER_TEST_KILLS=100` is the long form: ten calls at a time, and as many kills. */
const kills = Number(process.env.ATELIER_TEST_KILLS ?? 1)
const [calls, items] = kills > 1 ? [10, kills * 10] : [1, 2]
/** Once the reply to a request was kept; before one is sent; once the picture is there; once it is saved. */
const points = ['checkpoint-saved', 'intent-saved', 'called', 'result-saved']

test('crash: a job is gone on with by the next worker; requests, ledger and what is unknown agree', async () => {
  const here = await startProvider('bfl')
  const painter = { provider: 'bfl', url: here.url, calls }
  const definition = definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: Array.from({ length: items }, (_, at) => `flask ${at}`) } },
      paint: { type: 'image.generate', params: { model: 'bfl:flux-2-pro' }, each: ['prompt'] },
    },
    'list.list > paint.prompt',
  )
  const { id } = await makeRun(service, definition, { execute: true })
  for (let killed = 0; killed < kills; killed++) {
    const at = `${points[killed % points.length]}:${kills > 1 ? 1 + (killed % 7) : 1}`
    const worker = await startWorker(painter, at)
    expect(await worker.ended, at).toMatchObject({ signal: 'SIGKILL' })
    // Long ago: a worker that is merely slow on a busy machine is not lost.
    await service.rows(`update runs set heartbeat_at = now() - interval '1 hour' where id = $1`, [id])
  }
  const last = await startWorker(painter, '')
  const run = await untilStatus(service, id, 'succeeded', 'failed')
  last.kill('SIGKILL')

  const ledger: Body[] = await service.rows('select id, outcome from credit_entries where run_id = $1', [id])
  const booked = (outcome: string) => ledger.filter((entry) => entry.outcome === outcome).map((entry) => entry.id)
  const sent = here.paid().map(({ headers }) => String(headers['idempotency-key']))
  expect(new Set(sent).size).toBe(sent.length)
  expect(booked('charged').filter((unit) => !sent.includes(unit))).toEqual([])
  expect(sent.filter((unit) => !ledger.some((entry) => entry.id === unit))).toEqual([])
  const made = Object.values<Body>(run.nodes.paint.items).filter(({ status }) => status === 'succeeded')
  expect([made.length, booked('charged').length + booked('unknown').length]).toEqual([booked('charged').length, items])
  if (kills > 1) return
  // One call at a time: what was sent is gone on with.
  expect([booked('unknown').length, sent.length]).toEqual([0, 2])
}, 3_600_000)
