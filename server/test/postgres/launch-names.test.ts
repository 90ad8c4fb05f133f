// Facts about a launch that is recorded while a creative gets its name: whichever transaction is second sees the first. Only
// PostgreSQL has two transactions at once.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { correctLaunch } from '../../src/features/tasks/launches/correct.ts'
import { recordCreativeLaunches } from '../../src/features/tasks/launches/record.ts'
import type { Actor } from '../../src/platform/actor.ts'
import { shareNames } from '../../src/platform/advisory-locks.ts'
import type { Db } from '../../src/platform/db.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Reply, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let launch: ReturnType<typeof doors>
let actor: Actor
let holder: pg.Client
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  launch = doors(service)
  actor = { tokenId: null, userId: service.owner.id, role: 'admin', name: null, scopes: new Set() }
  holder = new pg.Client(service.url ?? '')
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await service.close()
})

let serial = 0
const freshName = () => `AT_ONCE_${++serial}`

/** Returns once this number of transactions of this database wait for locks. */
const untilWaiting = (count: number) =>
  eventually(async () => {
    const waiting = await service.rows(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    expect(waiting).toHaveLength(count)
  })

/** A request that gives a creative the name, in each of the ways, and the id of that creative once the request is done. */
const ways: Record<string, (name: string) => Promise<() => Promise<Reply>>> = {
  create: async (name) => {
    const task = await make.task()
    return () => service.post(`/api/v1/tasks/${task.id}/creatives`, { name })
  },
  rename: async (name) => {
    const creative = await make.creative((await make.task()).id, { name: freshName() })
    return () => service.patch(`/api/v1/creatives/${creative.id}`, { name })
  },
  'restore of the creative': async (name) => {
    const creative = await make.creative((await make.task()).id, { name })
    await make.deleted(`/api/v1/creatives/${creative.id}`)
    return () => service.post(`/api/v1/creatives/${creative.id}/restore`)
  },
  'restore of its task': async (name) => {
    const { task } = await make.taskWith([freshName(), name])
    await make.deleted(`/api/v1/tasks/${task.id}`)
    return () => service.post(`/api/v1/tasks/${task.id}/restore`)
  },
}

/** Takes the last step of both transactions: `first` is held where it writes the activity, until `second` waits or is done. */
async function whileHeld(first: () => Promise<Reply>, second: () => Promise<Reply>): Promise<Reply[]> {
  await holder.query('begin; lock table activity in exclusive mode')
  const one = first()
  await untilWaiting(1)
  const other = second()
  await Promise.race([other, untilWaiting(2)])
  await holder.query('commit')
  return Promise.all([one, other])
}

/** Executes `work` in a transaction that stays open until `during` waits for it or is done. */
async function heldDuring<T, U>(work: (tx: Db) => Promise<T>, during: () => Promise<U>): Promise<[T, U]> {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const holding = service.database.tx(async (tx) => {
    const result = await work(tx)
    begun.resolve()
    await held.promise
    return result
  })
  await begun.promise
  const other = during()
  await Promise.race([other, untilWaiting(1)])
  held.resolve()
  return Promise.all([holding, other])
}

const creativeNamed = async (name: string): Promise<Body | undefined> =>
  (await service.rows('select id, ad_id from creatives where name = $1 and deleted_at is null', [name]))[0]

describe.each(Object.keys(ways))('%s', (way) => {
  const taker = async (name: string) => {
    const take = await ways[way]?.(name)
    if (!take) throw new Error('There is no such way.')
    return take
  }

  test('a launch that is sent while a creative takes its name is the launch of that creative', async () => {
    const [name, ad_id] = [freshName(), freshAdId()]
    const record = () => launch.postCreatives({ launches: [{ name, ad_id }] })
    const [taken, recorded] = await whileHeld(await taker(name), record)
    expect([taken?.body.success, recorded?.body.success]).toEqual([true, true])
    const creative = await creativeNamed(name)
    expect(creative).toMatchObject({ ad_id })
    expect(recorded?.data).toEqual([{ name, ad_id, creative_id: creative?.id, recorded: true }])
    expect((await record()).data).toEqual([{ name, ad_id, creative_id: creative?.id, recorded: false }])
  })

  test('a creative that takes a name while a launch of it is recorded has that launch', async () => {
    const [name, ad_id] = [freshName(), freshAdId()]
    const record = (tx: Db) => recordCreativeLaunches(tx, { launches: [{ name, ad_id }] }, actor)
    const [rows, reply] = await heldDuring(record, await taker(name))
    expect(rows).toEqual([{ name, ad_id, creative_id: null, recorded: true }])
    expect(reply.body.success).toBe(true)
    expect(await creativeNamed(name)).toMatchObject({ ad_id })
  })
})

test('a launch that is corrected while a creative takes its name is corrected for that creative', async () => {
  const [name, wrong, right] = [freshName(), freshAdId(), freshAdId()]
  await launch.creatives({ name, ad_id: wrong })
  const [{ id } = {}] = await service.rows('select id from launches where name = $1', [name])
  const task = await make.task()
  const [, creative] = await heldDuring(
    (tx) => correctLaunch(tx, String(id), { ad_id: right }, actor),
    () => make.creative(task.id, { name }),
  )
  expect(creative).toMatchObject({ name, ad_id: right })
})

test('creatives take names without waiting for each other, and thousands of names with a bounded number of locks', async () => {
  const task = await make.task()
  const lockAll = async (tx: Db): Promise<number> => {
    await shareNames(tx, Array.from({ length: 3000 }, freshName))
    const locks = await sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(tx)
    return locks.rows.length
  }
  const during = async () => {
    const creative = await make.creative(task.id, { name: freshName() })
    // pg_locks also lists the locks of other databases, in which other tests run.
    const waiting = `select 1 from pg_locks l join pg_database d on d.oid = l.database
      where not l.granted and d.datname = current_database()`
    return { creative, waited: await service.rows(waiting) }
  }
  const [locks, { waited }] = await heldDuring(lockAll, during)
  expect(locks).toBeLessThanOrEqual(1024)
  expect(waited).toEqual([])
})
