// Facts about runs whose results are too large to be stored, or whose end cannot be written as usual: they still end, with the
// reason, and no other run has to wait for them.
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/engine/work/engine.ts'
import { reconcile, recoverAll } from '../../src/engine/work/reconciler.ts'
import { executeRun } from '../../src/engine/work/run-loop.ts'
import { endStranded } from '../../src/engine/work/stranded.ts'
import { defineNode, gives, needs } from '../../src/nodes/define.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { growRun } from '../support/large-run.ts'
import { makeRun, readRun, statusesOf } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let engine: Engine
const provider = createProvider()
/** A type whose calls cost nothing and whose outputs are cached. */
const free = defineNode({
  ...{ type: 'test.free', title: 'Free call', summary: 'Repeats.', help: 'For tests.', group: 'other' },
  params: {},
  inputs: { prompt: needs({ title: 'Prompt', description: 'What is repeated.', schema: Type.String() }) },
  outputs: { text: gives('Text', 'The prompt.', Type.String()) },
  run: async ({ inputs }) => ({ outputs: { text: inputs.prompt } }),
})
const nodeTypes = [...testNodes(provider), free]
beforeAll(async () => {
  service = await startService({}, undefined, nodeTypes)
  engine = await engineOn(service, nodeTypes)
})
afterAll(() => service.close())

const paid = (prompt: string) => definitionOf({ copy: { type: 'test.paid', inputs: { prompt } } })
const collected = definitionOf({ list: { type: 'list.collect', inputs: { values: ['a'] } } })

/** A run that a worker has claimed; the worker has been lost for an hour. */
async function lost(definition: object, changes = ''): Promise<string> {
  const { id } = await makeRun(service, definition, { execute: true })
  await take(engine, id, 'gone/1')
  await service.rows(`update runs set heartbeat_at = now() - interval '1 hour' ${changes} where id = $1`, [id])
  return id
}
const rowOf = async (id: string): Promise<Body> => {
  const [row] = await service.rows('select status, error, deaths, lease from runs where id = $1', [id])
  return row
}

describe('a run whose end cannot be written', () => {
  test('ends without a checkpoint, and keeps no lost run, cancel or wake-up waiting', async () => {
    const stuck = await lost(paid('cannot be ended'), ', deaths = 2')
    await service.database.script(`
      create function refuse_checkpoint() returns trigger language plpgsql as $$ begin
        if new.subject_id = '${stuck}' then raise exception 'this checkpoint is refused'; end if; return new; end $$;
      create trigger refuse_checkpoints before insert on checkpoints for each row execute function refuse_checkpoint()`)
    const others = [await lost(paid('lost 1')), await lost(paid('lost 2'))]
    const deaf = await lost(paid('deaf'), ", cancel_requested_at = now() - interval '1 hour'")
    await service.rows('update runs set heartbeat_at = now() where id = $1', [deaf])
    const waiting = await makeRun(service, paid('without a wake-up'), { execute: true })
    await service.rows(`delete from pgboss.job where data->>'run_id' = $1`, [waiting.id])
    await service.rows(`update runs set queued_at = now() - interval '1 hour' where id = $1`, [waiting.id])

    await reconcile(engine)
    expect(await rowOf(stuck)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The run was given up: .*its end was not kept there; what it made stays\.$/i),
    })
    for (const id of others) expect(await rowOf(id)).toMatchObject({ status: 'queued', deaths: 1 })
    expect(await rowOf(deaf)).toMatchObject({ status: 'cancelled' })
    const jobs = await service.rows(`select state from pgboss.job where data->>'run_id' = $1`, [waiting.id])
    expect(jobs).toEqual([{ state: 'created' }])
    const { data } = await service.get(`/api/v1/runs/${stuck}/history`)
    expect(data.items.map(({ kind }: Body) => kind)).toEqual(['created'])
    await service.database.script('drop function refuse_checkpoint cascade')
  })

  test('ends without a checkpoint also where no worker has its node types', async () => {
    const { id } = await makeRun(service, paid('no worker'), { execute: true })
    await service.rows(
      `insert into stranded_runs (run_id, lease, needs, since)
      select id, lease, '{test.unknown@1}', now() - interval '1 hour' from runs where id = $1`,
      [id],
    )
    await service.database.script(`
      create function refuse_checkpoint() returns trigger language plpgsql as $$ begin
        if new.subject_id = '${id}' then raise exception 'this checkpoint is refused'; end if; return new; end $$;
      create trigger refuse_checkpoints before insert on checkpoints for each row execute function refuse_checkpoint()`)
    await endStranded(engine)
    await service.database.script('drop function refuse_checkpoint cascade')
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^No worker that has all .*its end was not kept there; what it made stays\.$/i),
    })
  })

  test('keeps the others going even where it cannot be ended at all', async () => {
    const stuck = await lost(paid('never ends'), ', deaths = 2')
    await service.database.script(`
      create function refuse_end() returns trigger language plpgsql as $$ begin
        if new.id = '${stuck}' and new.status <> 'running' then raise exception 'this end is refused'; end if; return new; end $$;
      create trigger refuse_ends before update on runs for each row execute function refuse_end()`)
    const other = await lost(paid('after it'))
    await recoverAll(engine)
    expect(await rowOf(stuck)).toMatchObject({ status: 'running' })
    expect(await rowOf(other)).toMatchObject({ status: 'queued', deaths: 1 })
    await service.database.script('drop function refuse_end cascade')
    await reconcile(engine)
    expect(await rowOf(stuck)).toMatchObject({ status: 'failed' })
  })
})

describe('a run that has made more than a worker may hold', () => {
  let id: string
  const tooLarge =
    /^What the run has made is 382 MB, and a worker holds 320 MB at a time at most\. What it made stays\./
  beforeAll(async () => {
    id = await lost(collected)
    await growRun(service.rows, id, { items: 4, bytes: 2_000_000 })
    // Only the size column says 100 MB for each item, because storing that much data would take too long.
    await service.rows(`update run_states set outputs_bytes = 100000000 where run_id = $1 and item <> ''`, [id])
  })
  const again = (status: string, changes = '') =>
    service.rows(
      `update runs set status = $2, error = null, cancel_requested_at = null, lease = lease + 1,
      heartbeat_at = now() - interval '1 hour' ${changes} where id = $1`,
      [id, status],
    )

  test('ends as failed before it is read, with the reason, and with a checkpoint', async () => {
    await again('queued')
    const run = await take(engine, id, 'host/1')
    if (!run) throw new Error('The run was not to be had.')
    await executeRun(engine, run).done
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error: expect.stringMatching(tooLarge) })
    const [newest] = (await service.get(`/api/v1/runs/${id}/history`)).data.items
    expect(newest).toMatchObject({ kind: 'rest', summary: expect.stringMatching(/^Failed: What the run has made/) })
  })

  test('is cancelled while it waits for a person', async () => {
    await again('awaiting_input')
    const { status, data } = await service.post(`/api/v1/runs/${id}/cancel`)
    expect([status, data.status]).toEqual([200, 'cancelled'])
  })

  test('is cancelled where its worker does not heed it', async () => {
    await again('running')
    await service.rows('update runs set heartbeat_at = now() where id = $1', [id])
    const { status, data } = await service.post(`/api/v1/runs/${id}/cancel`)
    expect([status, data.cancel_requested]).toEqual([200, true])
    await service.rows(`update runs set cancel_requested_at = now() - interval '1 hour' where id = $1`, [id])
    await reconcile(engine)
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled' })
  })

  test('is edited, and put back as it stood, whole', async () => {
    const made = () =>
      service.rows(
        `select item, md5(outputs::text) as outputs, status from run_states where run_id = $1 and item <> '' order by item`,
        [id],
      )
    const before = await made()
    expect(before).toHaveLength(4)
    const [{ at }] = (await service.get(`/api/v1/runs/${id}/history`)).data.items
    const edited = await service.patch(`/api/v1/runs/${id}`, { definition: paid('something else') })
    const emptied = await service.post(`/api/v1/runs/${id}/start`, { execute: false })
    expect([edited.status, emptied.status, Object.keys(emptied.data.nodes)]).toEqual([200, 200, ['copy']])
    const then = await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${encodeURIComponent(at)}`)
    expect(then.data.nodes.large.outputs.text[2].$value).toMatchObject({ type: 'string', bytes: 2_000_002 })
    const restored = await service.post(`/api/v1/runs/${id}/history/restore`, { at })
    expect([restored.status, restored.data.status]).toEqual([200, 'cancelled'])
    expect(restored.data.nodes.large.outputs.text[2]).toEqual(then.data.nodes.large.outputs.text[2])
    expect(await made()).toEqual(before)
  })

  test('can be deleted', async () => {
    const deleted = await service.del(`/api/v1/runs/${id}`)
    expect([deleted.status, deleted.data.deleted_at === null]).toEqual([200, false])
  })
})

/** Thirty rows of more than a hundred characters, each handed to a call of `type`. */
function rowsTo(type: string) {
  const values = Array.from({ length: 30 }, (_, row) => `${row} ${'x'.repeat(100)}`)
  const nodes = { list: { type: 'list.collect', inputs: { values } }, copy: { type, each: ['prompt'] } }
  return definitionOf(nodes, 'list.list > copy.prompt')
}
/** Executes a queued run as a worker that has room for `resultLimit` bytes of results, and returns the ended run. */
async function executed(id: string, resultLimit = 5000): Promise<Body> {
  const worker = await engineOn(service, nodeTypes, { resultLimit })
  const run = await take(worker, id, 'host/1')
  if (!run) throw new Error('The run was not to be had.')
  await executeRun(worker, run).done
  return readRun(service, id)
}

test('a run ends at the bound of its results: what crosses it fails, what is paid is not begun, the rest stands', async () => {
  const { id } = await makeRun(service, rowsTo('test.paid'), { execute: true })
  const before = provider.calls.length
  const ended = await executed(id)
  expect(ended).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('The results of the run have reached 1 MB'),
  })
  expect(statusesOf(ended)).toMatchObject({ list: 'succeeded' })
  const items = Object.values<Body>(ended.nodes.copy.items)
  const made = items.filter(({ status }) => status === 'succeeded')
  const crossed = items.filter(({ error }) => error.includes('was left out, the others stand'))
  const refused = items.filter(({ error }) => error.includes('it was not begun'))
  expect(made.length).toBeGreaterThan(5)
  expect(crossed.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect(made.length + crossed.length + refused.length).toBe(30)
  // Each call that was made is paid once. Results for which the run had no room are kept in the cache, and a later start gets them.
  expect(provider.calls.length - before).toBe(made.length + crossed.length)
  expect(ended.credits_total).toBe(2 * (made.length + crossed.length))
  await service.post(`/api/v1/runs/${id}/start`)
  expect(await executed(id, 1e8)).toMatchObject({ status: 'succeeded', credits_consumed: 2 * refused.length })
})

test('what a run has no room for is not put into the cache if it cost nothing', async () => {
  const { id } = await makeRun(service, rowsTo('test.free'), { execute: true })
  const ended = await executed(id)
  const items = Object.values<Body>(ended.nodes.copy.items)
  const made = items.filter(({ status }) => status === 'succeeded')
  const crossed = items.filter(({ error }) => error?.includes('was left out, the others stand'))
  expect([made.length > 5, crossed.length > 0, made.length + crossed.length]).toEqual([true, true, 30])
  const kept = await service.rows(`select count(*)::int from node_cache where type = 'test.free'`)
  expect(kept).toEqual([{ count: made.length }])
  await service.post(`/api/v1/runs/${id}/start`)
  expect(await executed(id, 1e8)).toMatchObject({ status: 'succeeded', credits_total: 0 })
})

test('results of a branch that a later start does not take leave their room to the other branch', async () => {
  const given = (way: string) => ({ value: `${way} ${'z'.repeat(2000)}` })
  const definition = definitionOf(
    {
      way: { type: 'flow.if', params: { condition: 'contains', compare: 'left' }, inputs: given('left') },
      left: { type: 'test.free' },
      right: { type: 'test.free' },
    },
    'way.then > left.prompt',
    'way.else > right.prompt',
  )
  const { id } = await makeRun(service, definition, { execute: true })
  expect(statusesOf(await executed(id))).toEqual({ way: 'succeeded', left: 'succeeded', right: 'skipped' })
  const regenerate = [{ node_id: 'way', inputs: given('right') }]
  expect((await service.post(`/api/v1/runs/${id}/start`, { regenerate })).status).toBe(200)
  // Three results of 2,000 characters would exceed the limit of 5,000 bytes.
  expect(statusesOf(await executed(id))).toEqual({ way: 'succeeded', left: 'skipped', right: 'succeeded' })
})
