// Facts about how long drafts, ended runs and the histories of runs are kept if an operator sets a limit.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireRuns } from '../../src/engine/store/expire.ts'
import { purgeRuns } from '../../src/engine/store/purge.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

const day = 86_400
let service: Service
beforeAll(async () => {
  service = await startService()
  await service.app.worker.start()
})
afterAll(() => service.close())

const lines = (text: string) => definitionOf({ line: { type: 'text.template', params: { template: text } } })
const asks = definitionOf(
  { rows: { type: 'list.collect', inputs: { values: ['a', 'b'] } }, ask: { type: 'gate.choose' } },
  'rows.list > ask.options',
)
const expire = (kept: Partial<Parameters<typeof expireRuns>[1]>) =>
  expireRuns(service.database, { runs: null, history: null, ...kept })
const age = (id: string, days: number) =>
  service.rows(
    `update runs set created_at = created_at - make_interval(days => $2),
      updated_at = updated_at - make_interval(days => $2) where id = $1`,
    [id, days],
  )
const rested = async (text: string): Promise<string> => {
  const { id } = await makeRun(service, lines(text))
  await runThrough(service, id)
  return id
}
const deletedAt = async (id: string): Promise<string | null> => (await readRun(service, id)).deleted_at

test('by default every run is kept for ever', async () => {
  await age(await rested('for ever'), 4_000)
  expect(await expire({})).toEqual({ runs: 0, checkpoints: 0 })
})

test('one that has rested longer is deleted, and can be had back, for as long again', async () => {
  const [old, young] = [await rested('old'), await rested('young')]
  await age(old, 91)
  await age(young, 89)
  await expire({ runs: 90 * day })
  expect([await deletedAt(old), await deletedAt(young)]).toEqual([expect.any(String), null])
  expect((await service.post(`/api/v1/runs/${old}/undelete`)).status).toBe(200)
  await expire({ runs: 90 * day })
  expect(await deletedAt(old)).toBeNull()
})

test('one that waits for a person, and one that was exported, stay', async () => {
  const { id: waits } = await makeRun(service, asks)
  await runThrough(service, waits)
  const picture = { type: 'sample.image', params: { width: 64, height: 64 }, inputs: { prompt: 'kept' } }
  const { id: exported } = await makeRun(service, definitionOf({ picture }))
  await runThrough(service, exported)
  const { id: taskId } = await makers(service).task()
  const body = { task_id: taskId, outputs: [{ node_id: 'picture' }] }
  expect((await service.post(`/api/v1/runs/${exported}/export`, body)).status).toBe(200)
  for (const id of [waits, exported]) await age(id, 400)
  await expire({ runs: 90 * day, history: day })
  expect([await deletedAt(waits), await deletedAt(exported)]).toEqual([null, null])
})

test('a history is cut where it was at the limit: that point can still be read, and what came after', async () => {
  const { id } = await makeRun(service, lines('point 0'))
  await runThrough(service, id)
  for (const point of [1, 2, 3, 4]) {
    await service.patch(`/api/v1/runs/${id}`, { definition: lines(`point ${point}`) })
    await runThrough(service, id)
  }
  const history = async (): Promise<Body[]> => (await service.get(`/api/v1/runs/${id}/history?limit=100`)).data.items
  const before = await history()
  const old = before.slice(4)
  // Makes all checkpoints but the newest four older than the limit.
  await service.rows(
    `update checkpoints set at = at - interval '10 days',
    full_at = full_at - interval '10 days' where subject_id = $1 and iso(at) = any($2)`,
    [id, old.map(({ at }) => at)],
  )
  await service.rows(`update runs set created_at = created_at - interval '10 days' where id = $1`, [id])
  const { checkpoints } = await expire({ history: 5 * day })
  expect(checkpoints).toBeGreaterThan(0)
  const left = `select count(*)::int as units from checkpoint_units u
    where not exists (select from checkpoints c where c.subject_id = u.subject_id and c.at = u.at)`
  expect(await service.rows(left)).toEqual([{ units: 0 }])
  const after = await history()
  expect(after.slice(0, 4)).toEqual(before.slice(0, 4))
  expect(after.length).toBe(before.length - checkpoints)
  for (const { at } of after) {
    const { status } = await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${encodeURIComponent(at)}`)
    expect([at, status]).toEqual([at, 200])
  }
  const limit = new Date(Date.now() - 5 * day * 1000).toISOString()
  expect((await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${limit}`)).status).toBe(200)
  expect((await expire({ history: 5 * day })).checkpoints).toBe(0)
})

/** Gives a run `count` more checkpoints, each a copy of its newest one: `days` days old, and a second after the one before it. */
const lengthen = (id: string, count: number, days: number) =>
  service.rows(
    `insert into checkpoints (subject_id, at, begun_at, kind, summary, content, full_at, manifest)
      select subject_id, n.at, n.at, kind, summary, content, full_at, manifest
      from (select * from checkpoints where subject_id = $1 order by at desc limit 1) as c,
      lateral (select date_trunc('milliseconds', now()) - make_interval(days => $3, secs => n) as at
        from generate_series(1, $2::int) n) as n`,
    [id, count, days],
  )
/** Records how many checkpoints each transaction deletes, while `work` is done; returns the highest number. */
async function mostDeleted(work: () => Promise<unknown>): Promise<number> {
  await service.database.script(`
    create table deleted_at_once (transaction xid8);
    create function note_deleted() returns trigger language plpgsql as $$
    begin insert into deleted_at_once values (pg_current_xact_id()); return null; end $$;
    create trigger note_deleted after delete on checkpoints for each row execute function note_deleted()`)
  await work()
  const [most] = await service.rows(
    `select coalesce(max(n), 0)::int as most from (select count(*) as n from deleted_at_once group by transaction) as t`,
  )
  await service.database.script(
    'drop trigger note_deleted on checkpoints; drop function note_deleted(); drop table deleted_at_once',
  )
  return most?.most
}
/** Has the database refuse `what` (`delete on runs` or the like) for one run while `work` is done. */
async function refusing(what: string, column: string, id: string, work: () => Promise<void>): Promise<void> {
  await service.database.script(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin if old.${column} = '${id}' then raise exception 'refused'; end if; return old; end $$;
    create trigger refuse_one before ${what} for each row execute function refuse_one()`)
  await work()
  await service.database.script('drop function refuse_one() cascade')
}
const deleted = async (id: string, days: number): Promise<string> => {
  expect((await service.del(`/api/v1/runs/${id}`)).status).toBe(200)
  await service.rows('update runs set deleted_at = deleted_at - make_interval(days => $2) where id = $1', [id, days])
  return id
}
const undelete = async (id: string): Promise<[number, string | undefined]> => {
  const { status, body } = await service.post(`/api/v1/runs/${id}/undelete`)
  return [status, body.code]
}
const sizeOf = async (id: string): Promise<number> =>
  (await service.rows('select 1 from checkpoints where subject_id = $1', [id])).length

test('long histories are cut in many short transactions, and one that cannot be cut keeps no other', async () => {
  const runs = [await rested('long one'), await rested('long two'), await rested('long three')]
  for (const id of runs) await lengthen(id, 250, 10)
  const [first = '', ...others] = runs.toSorted()
  await refusing('delete on checkpoints', 'subject_id', first, async () => {
    const most = await mostDeleted(() =>
      expect(expire({ history: 5 * day })).rejects.toMatchObject({
        errors: [{ message: expect.stringContaining(first) }],
      }),
    )
    expect([most > 0, most <= 100]).toEqual([true, true])
  })
  for (const id of others) expect(await sizeOf(id)).toBeLessThan(10)
  expect(await sizeOf(first)).toBeGreaterThan(250)
  expect((await expire({ history: 5 * day })).checkpoints).toBe(249)
})

test('a history that is being cut never gives an older state for one that is removed', async () => {
  const several = (values: string[]) =>
    definitionOf(
      { rows: { type: 'list.collect', inputs: { values } }, chat: { type: 'sample.chat', each: ['prompt'] } },
      'rows.list > chat.prompt',
    )
  const { id } = await makeRun(service, several(['a', 'b', 'c']))
  await runThrough(service, id)
  // One of several items is another then, so that this checkpoint and its copies are incremental.
  await runThrough(service, id, { regenerate: [{ node_id: 'chat', item: 1 }] })
  await service.rows(
    `update checkpoints set at = at - interval '20 days', full_at = full_at - interval '20 days' where subject_id = $1`,
    [id],
  )
  await lengthen(id, 250, 10)
  // An edit that takes states away writes a full checkpoint, with which the history begins after the cut.
  await service.patch(`/api/v1/runs/${id}`, { definition: several(['d']) })
  const [last] = await service.rows<{ at: string }>(
    `update checkpoints set at = at - interval '9 days' where subject_id = $1 and at > now() - interval '1 day'
      returning iso(at) as at`,
    [id],
  )
  const all = await service.rows<{ at: string }>(
    'select iso(at) as at from checkpoints where subject_id = $1 order by at',
    [id],
  )
  // Of 254 checkpoints: some of each hundred, which is what one transaction removes.
  const times = [0, 1, 2, 60, 101, 102, 103, 150, 199, 250, 253].map((index) => all[index]?.at ?? '')
  const stood = () =>
    Promise.all(
      times.map(async (at) => {
        const { status, data, body } = await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${at}`)
        return status === 200 ? data.at : body.code
      }),
    )
  const listed = async () =>
    (await service.get(`/api/v1/runs/${id}/history?limit=100`)).data.items.map(({ at }: Body) => at)
  expect(await stood()).toEqual(times)
  const afterwards = [...times.slice(0, -1).map(() => 'no_checkpoint'), last?.at]
  // The second transaction of the cut fails, so that a part of the history is removed.
  await refusing('delete on checkpoints', 'at', times[4] ?? '', async () => {
    await expect(expire({ history: 5 * day })).rejects.toThrow()
  })
  expect(await sizeOf(id)).toBe(154)
  expect(await stood()).toEqual(afterwards)
  expect(await listed()).toEqual([last?.at])
  const restore = await service.post(`/api/v1/runs/${id}/history/restore`, { at: times[7] })
  expect(refusal(restore)).toEqual([404, 'no_checkpoint'])
  expect((await expire({ history: 5 * day })).checkpoints).toBe(153)
  expect(await stood()).toEqual(afterwards)
  expect(await listed()).toEqual([last?.at])
})

test('a run whose window is over is purged, and whoever wants it back is told so, before and after', async () => {
  const [over, inside] = [await deleted(await rested('over'), 31), await deleted(await rested('inside'), 29)]
  expect(await undelete(over)).toEqual([404, 'retention_over'])
  expect(await purgeRuns(service.database)).toBe(1)
  expect(await service.rows('select 1 from runs where id = $1', [over])).toEqual([])
  expect(await undelete(over)).toEqual([404, 'retention_over'])
  expect(await undelete(inside)).toEqual([200, undefined])
  expect(await undelete('01890000-0000-7000-8000-000000000000')).toEqual([404, 'not_found'])
})

test('a run with a long history is purged in many short transactions, and one that cannot be purged keeps no other', async () => {
  const stuck = await deleted(await rested('stuck'), 33)
  const long = await deleted(await rested('long'), 32)
  const last = await deleted(await rested('last'), 31)
  await lengthen(long, 250, 40)
  await refusing('delete on runs', 'id', stuck, async () => {
    const most = await mostDeleted(() =>
      expect(purgeRuns(service.database)).rejects.toMatchObject({
        errors: [{ message: expect.stringContaining(stuck) }],
      }),
    )
    expect([most > 0, most <= 100]).toEqual([true, true])
  })
  expect(await service.rows('select id from runs where id = any($1)', [[stuck, long, last]])).toEqual([{ id: stuck }])
  expect(await sizeOf(long)).toBe(0)
  expect(await purgeRuns(service.database)).toBe(1)
})
