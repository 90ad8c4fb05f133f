// Facts about runs whose worker was lost: it has died, or is still alive but its run was taken from it.
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { heartbeatStatement, markBusyStatement } from '../../src/engine/store/runs.ts'
import { reconcile } from '../../src/engine/work/reconciler.ts'
import { type Execution, executeRun } from '../../src/engine/work/run-loop.ts'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { startEngine, take } from '../support/engine.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

const { provider, service, engine } = await startEngine()
afterEach(() => provider.release())
afterAll(() => service.close())

const copy = (prompt: string, type = 'test.paid') => definitionOf({ copy: { type, inputs: { prompt } } })
const callsOf = (prompt: string) => provider.calls.filter((call) => call.prompt === prompt).length
const entries = (id: string) => service.rows('select outcome, credits from credit_entries where run_id = $1', [id])

async function execution(id: string, worker: string): Promise<Execution> {
  const run = await take(engine, id, worker)
  if (!run) throw new Error(`The run ${id} is not queued.`)
  return executeRun(engine, run)
}

/** Makes the last heartbeat of a run's worker an hour older, so that the reconciler takes the worker for lost. */
async function lose(id: string): Promise<void> {
  await service.rows(`update runs set heartbeat_at = heartbeat_at - interval '1 hour' where id = $1`, [id])
  await reconcile(engine)
}

async function beat({ runLease: hold, isIdle }: Execution): Promise<void> {
  const { main } = service.database
  await main.executeQuery(heartbeatStatement(main, [{ ...hold, isIdle: isIdle() }]))
}

/** Ends the work of a worker whose run was taken from it. */
async function end(worker: Execution): Promise<void> {
  worker.onLeaseLost()
  worker.abort()
  await worker.done
}

/** A run whose worker is cut off while it waits for the response of a paid call. */
async function cutOff(prompt: string): Promise<{ id: string; worker: Execution }> {
  provider.hold()
  const { id } = await makeRun(service, copy(prompt), { execute: true })
  const worker = await execution(id, 'cut off')
  await expect.poll(() => provider.waiting()).toBe(1)
  await lose(id)
  worker.onLeaseLost()
  return { id, worker }
}

describe('a worker that was cut off and has an answer it paid for', () => {
  test('keeps it for whoever has the run next, who does not pay again', async () => {
    const { id, worker } = await cutOff('kept for the next')
    provider.release()
    await worker.done
    expect(await readRun(service, id)).toMatchObject({ status: 'queued', credits_total: 2, credits_consumed: 2 })
    expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
    await (await execution(id, 'next')).done
    expect(await readRun(service, id)).toMatchObject({
      status: 'succeeded',
      credits_total: 2,
      nodes: { copy: { status: 'cached' } },
    })
    expect(callsOf('kept for the next')).toBe(1)
  })

  test('settles what ended as unknown, and leaves the run as it is; the next start pays nothing', async () => {
    const { id, worker } = await cutOff('known too late')
    await (await execution(id, 'next')).done
    const [before] = await service.rows('select status, lease, changes, error from runs where id = $1', [id])
    expect(before).toMatchObject({ status: 'failed', error: expect.stringMatching(/outcome_unknown/) })
    expect(await entries(id)).toEqual([{ outcome: 'unknown', credits: 0 }])

    provider.release()
    await worker.done
    expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
    expect(await service.rows('select status, lease, changes, error from runs where id = $1', [id])).toEqual([before])
    expect((await readRun(service, id)).credits_total).toBe(2)
    await service.app.worker.start()
    expect(await runThrough(service, id)).toMatchObject({ status: 'succeeded', credits_total: 2, credits_consumed: 0 })
    await service.app.worker.stop()
    expect(callsOf('known too late')).toBe(1)
  })

  test('settles a unit of a run that was cancelled meanwhile', async () => {
    const { id, worker } = await cutOff('cancelled meanwhile')
    await service.post(`/api/v1/runs/${id}/cancel`)
    expect(await entries(id)).toEqual([{ outcome: 'unknown', credits: 0 }])
    provider.release()
    await worker.done
    expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
    expect(await readRun(service, id)).toMatchObject({ status: 'cancelled', credits_total: 2 })
  })

  test('frees nothing that another worker asks for again under the same name', async () => {
    provider.hold()
    const { id } = await makeRun(service, copy('asked twice', 'test.safe'), { execute: true })
    const first = await execution(id, 'cut off')
    await expect.poll(() => provider.waiting()).toBe(1)
    await lose(id)
    first.onLeaseLost()
    const second = await execution(id, 'next')
    await expect.poll(() => provider.waiting()).toBe(2)
    provider.failOn('asked twice', 1)
    provider.release()
    await Promise.all([first.done, second.done])
    expect(await readRun(service, id)).toMatchObject({ status: 'succeeded', credits_total: 2 })
    expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
  })
})

test('an answer of the wrong form is booked as what it cost, and its node says what is wrong with it', async () => {
  provider.failOn('of no use', 1, () => new NodeFailure('It has another form. It was paid for.', { credits: 1 }))
  const { id } = await makeRun(service, copy('of no use'), { execute: true })
  await (await execution(id, 'worker')).done
  expect(await readRun(service, id)).toMatchObject({
    status: 'failed',
    credits_total: 1,
    nodes: { copy: { status: 'failed', credits_consumed: 1, error: 'It has another form. It was paid for.' } },
  })
  expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 1 }])
})

test('a call that was lost, and is then served from the cache, keeps no call without a most waiting', async () => {
  const tokens = { type: 'test.priced', params: { least: 0, most: -1, amount: 10_000 } }
  const shared = { ...tokens, inputs: { prompt: 'by the token' } }
  const { id } = await makeRun(service, definitionOf({ x: shared, y: tokens }, 'x.text > y.prompt'))
  expect((await service.post(`/api/v1/runs/${id}/start`, { max_cost: 1_000_000 })).status).toBe(200)
  provider.hold()
  const lost = await execution(id, 'lost')
  await expect.poll(() => provider.waiting()).toBe(1)
  await lose(id)
  await end(lost)
  provider.release()
  const other = await makeRun(service, definitionOf({ x: shared }), { execute: true })
  await (await execution(other.id, 'other')).done

  await (await execution(id, 'next')).done
  expect(await readRun(service, id)).toMatchObject({
    status: 'succeeded',
    nodes: { x: { status: 'cached' }, y: { status: 'succeeded' } },
  })
  // The lost call may have been paid for, so its entry says that nobody knows.
  expect(await service.rows('select node_id, outcome from credit_entries where run_id = $1 order by 1', [id])).toEqual([
    { node_id: 'x', outcome: 'unknown' },
    { node_id: 'y', outcome: 'charged' },
  ])
})

describe('a lost worker', () => {
  const losses = 4
  const callsWith = (prompt: string) => provider.calls.filter((call) => call.prompt.includes(prompt)).length
  /** Begins to execute a run, and waits until its call has failed and waits for another attempt. Before the call, it waits for a slot. */
  const waitingAgain = async (id: string, prompt: string, name: string): Promise<Execution> => {
    const before = callsWith(prompt)
    const worker = await execution(id, name)
    await expect.poll(() => callsWith(prompt) > before && worker.isIdle()).toBe(true)
    return worker
  }
  const deathsOf = async (id: string) => (await service.rows('select deaths from runs where id = $1', [id]))[0]?.deaths

  test('does not count against a run that waited for another attempt', async () => {
    const busy = () => new NodeFailure('It is overloaded.', { again: { afterSeconds: 50 } })
    provider.failOn('waits', Number.POSITIVE_INFINITY, busy)
    const { id } = await makeRun(service, copy('waits', 'test.safe'), { execute: true })
    for (let loss = 0; loss < losses; loss++) {
      const worker = await waitingAgain(id, 'waits', `lost ${loss}`)
      await beat(worker)
      await lose(id)
      await end(worker)
      expect([(await readRun(service, id)).status, await deathsOf(id)]).toEqual(['queued', 0])
    }
    await service.post(`/api/v1/runs/${id}/cancel`)
  })

  test('counts against a run that waited when its worker began to compute, and said nothing more', async () => {
    const busy = () => new NodeFailure('It is overloaded.', { again: { afterSeconds: 50 } })
    provider.failOn('then computes', Number.POSITIVE_INFINITY, busy)
    const { id } = await makeRun(service, copy('then computes', 'test.safe'), { execute: true })
    const worker = await waitingAgain(id, 'then computes', 'lost')
    await beat(worker)
    const { main } = service.database
    const idle = async () =>
      (await service.rows('select idle_lease is not null as idle from runs where id = $1', [id]))[0]
    // A worker whose lease is outdated cannot change the run.
    await main.executeQuery(markBusyStatement(main, [{ ...worker.runLease, lease: worker.runLease.lease - 1 }]))
    expect(await idle()).toEqual({ idle: true })
    await main.executeQuery(markBusyStatement(main, [worker.runLease]))
    expect(await idle()).toEqual({ idle: false })
    await lose(id)
    await end(worker)
    expect(await deathsOf(id)).toBe(1)
    await service.post(`/api/v1/runs/${id}/cancel`)
  })

  test('counts against a run that had a call under way', async () => {
    provider.hold()
    const { id } = await makeRun(service, copy('under way', 'test.safe'), { execute: true })
    const worker = await execution(id, 'lost')
    await expect.poll(() => provider.waiting()).toBe(1)
    expect(worker.isIdle()).toBe(false)
    await beat(worker)
    await lose(id)
    await end(worker)
    expect(await deathsOf(id)).toBe(1)
  })
})
