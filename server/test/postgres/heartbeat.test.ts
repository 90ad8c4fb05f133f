// Facts about the heartbeats of a worker: a thread continues them while the main thread computes, but not for ever, and a run whose row is
// locked gets none meanwhile.
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { heartbeatStatement, lateBeatStatement, markBusyStatement, type RunLease } from '../../src/engine/store/runs.ts'
import { type Heartbeat, ownHeartbeat, threadHeartbeat } from '../../src/engine/work/heartbeat.ts'
import { reconcile } from '../../src/engine/work/reconciler.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let heartbeat: Heartbeat
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  heartbeat = threadHeartbeat(service.url ?? '', 0.1, ownHeartbeat(service.database))
})
afterAll(async () => {
  await heartbeat?.stop()
  await service?.close()
})

/** Blocks the event loop by computing without a pause. */
const busyFor = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function taken(worker = 'host/1'): Promise<RunLease & { isIdle: boolean }> {
  const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'held' } } })
  const { id } = await makeRun(service, definition, { execute: true })
  const run = await take(await engineOn(service, testNodes(createProvider())), id, worker)
  if (!run) throw new Error('The run was not to be had.')
  return { runId: id, generation: run.generation, lease: run.lease, isIdle: false }
}
/** Creates a trigger that records each heartbeat from now on in the table `beats`, with the time at which it was written. */
const noteBeats = () =>
  service.rows(`
    do $$ begin
      create table beats (run_id uuid, at timestamptz);
      create function note_beat() returns trigger language plpgsql as
        'begin insert into beats values (new.id, clock_timestamp()); return new; end';
      create trigger note_beat after update of heartbeat_at on runs for each row execute function note_beat();
    end $$`)

test('a worker that computes for long is alive all the while', async () => {
  const { main } = service.database
  const hold = await taken()
  const told = await heartbeat.send(heartbeatStatement(main, [hold]))
  expect(told).toEqual([{ id: hold.runId, lease: hold.lease, cancel: false, answers: 0, late: false }])
  await noteBeats()
  const began = new Date()
  busyFor(2000)
  const beats = await service.rows('select from beats where run_id = $1 and at between $2 and $3', [
    ...[hold.runId, began.toISOString(), new Date().toISOString()],
  ])
  expect(beats.length).toBeGreaterThan(0)
})

test('a run that is taken away is told, and a statement that fails says why and is no end of it', async () => {
  const { main } = service.database
  const hold = await taken()
  await service.rows('update runs set lease = lease + 1 where id = $1', [hold.runId])
  expect(await heartbeat.send(heartbeatStatement(main, [hold]))).toEqual([])
  const broken = { ...heartbeatStatement(main, [hold]), sql: 'select nothing from nowhere' }
  await expect(heartbeat.send(broken)).rejects.toMatchObject({ code: '42P01' })
  expect(await heartbeat.send(heartbeatStatement(main, [{ ...hold, lease: hold.lease + 1 }]))).toHaveLength(1)
})

test('a run whose row is locked holds up no heartbeat of its neighbours, and nobody takes it', async () => {
  const { main } = service.database
  const [locked, neighbour] = [await taken(), await taken()]
  const all = [locked, neighbour]
  const ids = all.map(({ runId }) => runId)
  const told = (isLate: boolean) =>
    all.map((one) => ({ id: one.runId, lease: one.lease, cancel: false, answers: 0, late: isLate && one === locked }))
  const byId = (rows: { id: string }[]) => new Map(rows.map((row) => [row.id, row]))
  const beatsOf = async () => {
    const rows = await service.rows<{ id: string; status: string; lease: number; is_late: boolean }>(
      `select id, status, lease, heartbeat_at < now() - interval '30 minutes' as is_late from runs where id = any($1::uuid[])`,
      [ids],
    )
    return byId(rows)
  }
  const row = ({ runId: id, lease }: RunLease, is_late: boolean) =>
    [id, { id, status: 'running', lease, is_late }] as const
  const engine = await engineOn(service, testNodes(createProvider()))
  await service.rows(`update runs set heartbeat_at = now() - interval '1 hour' where id = any($1::uuid[])`, [ids])

  const other = new pg.Client({ connectionString: service.url ?? '' })
  onTestFinished(() => other.end())
  await other.connect()
  await other.query('begin')
  await other.query('select from runs where id = $1 for update', [locked.runId])
  expect(byId(await heartbeat.send(heartbeatStatement(main, all)))).toEqual(byId(told(true)))
  await heartbeat.send(markBusyStatement(main, all))
  await reconcile(engine)
  expect(await beatsOf()).toEqual(new Map([row(locked, true), row(neighbour, false)]))

  await other.query('commit')
  expect(byId(await heartbeat.send(heartbeatStatement(main, all)))).toEqual(byId(told(false)))
  await reconcile(engine)
  expect(await beatsOf()).toEqual(new Map([row(locked, false), row(neighbour, false)]))
})

test('a run whose row was locked for so long that it is overdue stays with its worker when the lock ends', async () => {
  const { main } = service.database
  const hold = await taken()
  const engine = await engineOn(service, testNodes(createProvider()))
  await service.rows(`update runs set heartbeat_at = now() - interval '1 hour' where id = $1`, [hold.runId])
  const other = new pg.Client({ connectionString: service.url ?? '' })
  onTestFinished(() => other.end())
  await other.connect()
  await other.query('begin')
  await other.query('select from runs where id = $1 for update', [hold.runId])
  const also = { late: lateBeatStatement(main, [hold]) }
  expect(await heartbeat.send(heartbeatStatement(main, [hold]), also)).toMatchObject([{ late: true }])
  await expect
    .poll(() => service.rows(`select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'as last'`))
    .toHaveLength(1)
  await other.query('rollback')
  await expect
    .poll(() =>
      service.rows(`select from runs where id = $1 and heartbeat_at > now() - interval '30 minutes'`, [hold.runId]),
    )
    .toHaveLength(1)
  await reconcile(engine)
  expect(await service.rows('select status, lease, deaths from runs where id = $1', [hold.runId])).toEqual([
    { status: 'running', lease: hold.lease, deaths: 0 },
  ])
})

test('what waits for a locked row gives up soon, and the next heartbeats are sent', async () => {
  const { main } = service.database
  const [locked, neighbour] = [await taken(), await taken()]
  const other = new pg.Client({ connectionString: service.url ?? '' })
  onTestFinished(() => other.end())
  await other.connect()
  await other.query('begin')
  await other.query('select from runs where id = $1 for update', [locked.runId])
  const all = [locked, neighbour]
  const beat = () => heartbeat.send(heartbeatStatement(main, all), { late: lateBeatStatement(main, all) })
  const isLate = async () => new Map((await beat()).map(({ id, late }) => [id, late]))
  const expected = new Map([
    [locked.runId, true],
    [neighbour.runId, false],
  ])
  expect(await isLate()).toEqual(expected)
  expect(await isLate()).toEqual(expected)
  await other.query('rollback')
  expect(await isLate()).toEqual(new Map(all.map(({ runId }) => [runId, false])))
})
