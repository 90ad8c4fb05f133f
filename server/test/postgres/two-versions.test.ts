// Facts about an upgrade and a downgrade: worker processes of two versions on one database, with runs in every state.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chaosNodes } from '../support/chaos/nodes.ts'
import { type ChaosProvider, startProvider } from '../support/chaos/provider.ts'
import type { WorkerOrders } from '../support/chaos/worker.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeGraph, readRun, until, untilStatus } from '../support/runs.ts'
import { tags } from '../support/tags.ts'

/** Versions of the node type `test.tags`: the older product version has only 1, the newer one has 1 and 2. */
const before = [1]
const after = [1, 2]

let provider: ChaosProvider
/** The processes that serve requests: one of each product version. */
let [old, upgraded]: Service[] = []
beforeAll(async () => {
  provider = await startProvider()
  old = await startService({}, undefined, [...chaosNodes(provider.url, 'api'), ...before.map(tags)])
  upgraded = await old.another([...chaosNodes(provider.url, 'api'), ...after.map(tags)])
})
afterEach(killChildren)
afterAll(async () => {
  await upgraded?.close()
  await old?.close()
  await provider?.close()
})

async function work(versions: number[]): Promise<Child> {
  const orders: WorkerOrders = {
    url: old?.url ?? '',
    files: old?.config.files ?? '',
    provider: provider.url,
    timing: {
      heartbeatSeconds: 0.2,
      lostAfterSeconds: 1,
      pollSeconds: 0.1,
      cancelAfterSeconds: 1,
      resendSeconds: 0.2,
      strandedAfterSeconds: 60,
    },
    ...{ crashAt: '', skewMs: 0, tags: versions },
  }
  const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(orders)])
  await child.printed(/working/)
  return child
}

/** A definition: a gate if `gated`; then the node type `test.tags` in this version; then a paid call. */
const ad = (version: number, brief: string, gated = false) =>
  definitionOf(
    {
      ...(gated ? { ok: { type: 'gate.edit', inputs: { value: brief } } } : {}),
      tags: { type: 'test.tags', version, ...(gated ? {} : { inputs: { text: brief } }) },
      copy: { type: 'chaos.safe' },
    },
    ...(gated ? ['ok.value > tags.text'] : []),
    'tags.line > copy.prompt',
  )

async function start(at: Service, definition: object): Promise<string> {
  const graph = await makeGraph(at, definition)
  return (await at.post(`/api/v1/graphs/${graph.id}/runs`, { execute: true })).data.id
}
/** Starts runs until this worker has claimed one and waits for its paid call. Either worker may claim a run that it supports. */
async function underWayWith(worker: Child, at: Service, version: number): Promise<string> {
  for (let number = 0; ; number++) {
    const id = await start(at, ad(version, `slow ${number}`))
    await until(at, id, (run) => run.nodes.copy?.status === 'running')
    const [row] = await at.rows<{ worker: string | null }>('select worker from runs where id = $1', [id])
    if (row?.worker?.endsWith(`/${worker.pid}`)) return id
    await untilStatus(at, id, 'succeeded')
  }
}
const answer = (at: Service, id: string) =>
  at.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { value: 'answered' } })

test('up and down: runs under way, queued and parked end right under either version, and nothing is paid twice', async () => {
  if (!old || !upgraded) throw new Error('There are no services.')
  // A worker of the old version runs; then one of the new version starts.
  const first = await work(before)
  const parked = await start(old, ad(1, 'parked', true))
  await untilStatus(old, parked, 'awaiting_input')
  const queued = await start(upgraded, ad(2, 'only the new version has it'))
  await until(old, queued, ({ status, error }) => status === 'queued' && error !== null)
  const second = await work(after)
  await untilStatus(upgraded, queued, 'succeeded')

  // The old worker is killed during a run: the new worker continues that run and the parked one.
  const running = await underWayWith(first, old, 1)
  first.kill('SIGKILL')
  expect((await answer(upgraded, parked)).status).toBe(200)
  for (const id of [running, parked]) await untilStatus(upgraded, id, 'succeeded')
  expect((await readRun(old, parked)).nodes.tags.outputs.line).toBe('#v1 answered')

  // The downgrade: a run that needs the new version waits with an error message until a new worker starts.
  const parkedNew = await start(upgraded, ad(2, 'parked by the new version', true))
  await untilStatus(upgraded, parkedNew, 'awaiting_input')
  const third = await work(before)
  const runningNew = await underWayWith(second, upgraded, 2)
  second.kill('SIGKILL')
  const waiting = await until(old, runningNew, ({ status, error }) => status === 'queued' && error !== null)
  expect(waiting.error).toMatch(/“tags” needs test\.tags version 2/)
  // The killed worker would count as alive for some more seconds, so the time of its last heartbeat is moved back.
  await old.rows(`update workers set seen_at = seen_at - interval '1 minute' where 'test.tags@2' = any(has)`)
  const refused = await answer(old, parkedNew)
  expect([refused.status, refused.body.code]).toEqual([409, 'node_types_missing'])
  const usual = await start(old, ad(1, 'usual'))
  await untilStatus(old, usual, 'succeeded')

  const fourth = await work(after)
  await untilStatus(old, runningNew, 'succeeded')
  expect((await answer(old, parkedNew)).status).toBe(200)
  await untilStatus(old, parkedNew, 'succeeded')

  const ids = [parked, running, queued, parkedNew, runningNew, usual]
  const entries = await old.rows<{ id: string; outcome: string }>(
    'select id, outcome from credit_entries where run_id = any($1)',
    [ids],
  )
  expect(entries).toHaveLength(ids.length)
  for (const { id, outcome } of entries) expect([outcome, provider.units.get(id)?.charges]).toEqual(['charged', 1])
  for (const worker of [third, fourth]) worker.kill('SIGKILL')
})
