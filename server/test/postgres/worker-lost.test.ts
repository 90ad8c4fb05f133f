// Facts about workers that die or hang in the middle of a run; each worker is a separate process.
import { hostname } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chaosNodes } from '../support/chaos/nodes.ts'
import { type ChaosProvider, startProvider } from '../support/chaos/provider.ts'
import type { WorkerOrders } from '../support/chaos/worker.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, statusesOf, until, untilStatus } from '../support/runs.ts'

let provider: ChaosProvider
let service: Service
beforeAll(async () => {
  provider = await startProvider()
  service = await startService({}, undefined, chaosNodes(provider.url, 'api'))
})
afterEach(killChildren)
afterAll(async () => {
  await service?.close()
  await provider?.close()
})

async function startWorker(crashAt = ''): Promise<Child & { name: string }> {
  const orders: WorkerOrders = {
    url: service.url ?? '',
    files: service.config.files ?? '',
    provider: provider.url,
    timing: {
      heartbeatSeconds: 0.2,
      lostAfterSeconds: 1,
      pollSeconds: 0.1,
      cancelAfterSeconds: 1,
      resendSeconds: 0.2,
      strandedAfterSeconds: 60,
    },
    crashAt,
    skewMs: 0,
  }
  const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(orders)])
  await child.printed(/working/)
  return { ...child, name: `${hostname()}/${child.pid}` }
}

test('crash: a run goes on with another worker; what was finished is neither done nor paid again', async () => {
  const rows = Array.from({ length: 8 }, (_, row) => `killed ${row}`)
  const definition = definitionOf(
    { list: { type: 'list.collect', inputs: { values: rows } }, copy: { type: 'chaos.safe', each: ['prompt'] } },
    'list.list > copy.prompt',
  )
  const first = await startWorker('result-saved:5') // the first saved result is the list
  const { id } = await makeRun(service, definition, { execute: true })
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
  const saved = await service.rows<{ id: string; item: string }>(
    `select e.id, e.item from credit_entries e where run_id = $1 and outcome = 'charged'`,
    [id],
  )
  expect(saved.length).toBeGreaterThanOrEqual(4)

  const second = await startWorker()
  const run = await untilStatus(service, id, 'succeeded')
  expect(run).toMatchObject({ generation: 1, credits_consumed: 16, credits_total: 16 })
  const asked = provider.units
  for (const { id } of saved) expect(asked.get(id)?.asked.map(({ by }) => by)).toEqual([first.name])
  for (const { charges } of asked.values()) expect(charges).toBe(1)
  second.kill('SIGKILL')
})

test('crash: a paid call that may have happened and must not be repeated ends as unknown, for a person to decide', async () => {
  const first = await startWorker('called')
  const definition = definitionOf({ copy: { type: 'chaos.paid', inputs: { prompt: 'may have happened' } } })
  const { id } = await makeRun(service, definition, { execute: true })
  await first.ended
  const second = await startWorker()
  const run = await untilStatus(service, id, 'failed')
  expect(run.nodes.copy.error).toMatch(/^outcome_unknown: /)
  expect(run.credits_total).toBe(0)
  const entries = await service.rows('select outcome from credit_entries where run_id = $1', [id])
  expect(entries).toEqual([{ outcome: 'unknown' }])

  const again = await service.post(`/api/v1/runs/${id}/start`)
  expect(again.status).toBe(200)
  expect(await untilStatus(service, id, 'succeeded')).toMatchObject({ credits_total: 2 })
  second.kill('SIGKILL')
})

test('crash: a call that saved a checkpoint goes on from it and is paid once', async () => {
  const first = await startWorker('checkpoint-saved')
  const definition = definitionOf({ job: { type: 'chaos.job', inputs: { prompt: 'job with a checkpoint' } } })
  const { id } = await makeRun(service, definition, { execute: true })
  await first.ended
  const second = await startWorker()
  expect(await untilStatus(service, id, 'succeeded')).toMatchObject({ credits_total: 2 })
  const [entry] = await service.rows<{ id: string }>('select id from credit_entries where run_id = $1', [id])
  expect(provider.units.get(entry?.id ?? '')).toMatchObject({ charges: 1, asked: [{ by: first.name }] })
  second.kill('SIGKILL')
})

test('a worker that hangs past the limit and comes back changes nothing: one result, that stays', async () => {
  const definition = definitionOf(
    { a: { type: 'chaos.safe', inputs: { prompt: 'slow and frozen' } }, b: { type: 'chaos.free' } },
    'a.text > b.prompt',
  )
  const first = await startWorker()
  const { id } = await makeRun(service, definition, { execute: true })
  await until(service, id, (run) => run.nodes.a?.status === 'running')
  first.kill('SIGSTOP')
  const second = await startWorker()
  const run = await untilStatus(service, id, 'succeeded')
  const [before] = await service.rows('select * from runs where id = $1', [id])

  // The second worker is stopped, so the first must execute `other`; when that run has ended, the first has tried its late writes.
  first.kill('SIGCONT')
  const other = await makeRun(service, definitionOf({ c: { type: 'chaos.free', inputs: { prompt: 'afterwards' } } }))
  second.kill('SIGTERM')
  await second.ended
  await service.post(`/api/v1/runs/${other.id}/start`)
  await untilStatus(service, other.id, 'succeeded')

  expect(await service.rows('select * from runs where id = $1', [id])).toEqual([before])
  expect(statusesOf(await readRun(service, id))).toEqual({ a: 'succeeded', b: 'succeeded' })
  expect(run).toMatchObject({ credits_total: 2, generation: 1 })
  const [entry] = await service.rows<{ id: string }>('select id from credit_entries where run_id = $1', [id])
  expect(provider.units.get(entry?.id ?? '')?.charges).toBe(1)
})

test('a worker that is frozen in the midst of a write holds its run for seconds, and goes on with it once it is woken', async () => {
  const definition = definitionOf({ copy: { type: 'chaos.safe', inputs: { prompt: 'frozen with its run locked' } } })
  const other = new pg.Client({ connectionString: service.url ?? '' })
  await other.connect()
  onTestFinished(() => other.end())
  // The worker's write locks the run, and waits for this table; so it is idle in its transaction when it is frozen and the table is free.
  await other.query('begin; lock table cache_claims in exclusive mode')
  const first = await startWorker()
  const { id } = await makeRun(service, definition, { execute: true })
  await eventually(async () => {
    const waiting = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
    expect(await service.rows(waiting, [first.name])).toHaveLength(1)
  })
  first.kill('SIGSTOP')
  await other.query('commit')
  // Between the limit of such a transaction and that of a session.
  await other.query(`set lock_timeout = '22s'`)
  const locked = await other.query('select status from runs where id = $1 for update', [id])
  expect(locked.rows).toEqual([{ status: 'running' }])

  first.kill('SIGCONT')
  expect(await untilStatus(service, id, 'succeeded')).toMatchObject({ credits_total: 2 })
  const [entry] = await service.rows<{ id: string }>('select id from credit_entries where run_id = $1', [id])
  expect(provider.units.get(entry?.id ?? '')?.charges).toBe(1)
})
