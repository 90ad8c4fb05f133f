// Facts about the database handle: one transaction at a time for each caller, retries, and how values are converted.
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  commitBehind,
  type Database,
  type Db,
  isUnavailable,
  isUniqueViolation,
  kept,
  Retry,
  sqlState,
  together,
} from '../../src/platform/db.ts'
import { openTestDatabase, rowsOf } from '../support/harness.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
  await rowsOf(database)('create table counters (id integer primary key, n integer not null)')
})
afterAll(async () => {
  await database.close()
  await drop()
})

const one = { name: null, text: 'select 1' }

describe('inside a transaction', () => {
  const misuse = 'A query used the main handle inside a transaction'

  const misuses: [string, (main: Database) => Promise<unknown>][] = [
    ['a query', (main: Database) => main.main.selectFrom('tasks').select('id').execute()],
    ['a raw statement', (main: Database) => sql`select 1`.execute(main.main)],
    ['a compiled statement', (main: Database) => main.main.executeQuery(CompiledQuery.raw('select 1'))],
    ['a read', (main: Database) => main.read(one, [])],
    ['another transaction', (main: Database) => main.tx(async () => 1)],
    ["Kysely's own transaction", (main: Database) => main.main.transaction().execute(async () => 1)],
  ]
  test.each(misuses)('%s on the main handle throws instead of waiting for itself', async (_what, query) => {
    await expect(database.tx(() => query(database))).rejects.toThrow(misuse)
  })

  test('also where it is not waited for until later', async () => {
    const late = database.tx(async () => {
      const started = Promise.resolve().then(() => database.main.selectFrom('tasks').select('id').execute())
      await expect(started).rejects.toThrow(misuse)
      return 'on'
    })
    expect(await late).toBe('on')
  })

  test('other callers use the main handle meanwhile', async () => {
    const inside = Promise.withResolvers<void>()
    const outside = Promise.withResolvers<void>()
    const work = database.tx(async (tx) => {
      inside.resolve()
      await outside.promise
      return sql`select 1`.execute(tx)
    })
    await inside.promise
    const read = database.read(one, []) // waits for the transaction, which uses the embedded database's only connection
    outside.resolve()
    expect((await work).rows).toHaveLength(1)
    expect(await read).toEqual([[1]])
  })
})

describe('statements of a transaction that are sent together', () => {
  test('are done in their order, each after what the one before it wrote', async () => {
    const read = (tx: Db) => sql<{ n: number }>`select n from counters where id = 900`.execute(tx)
    const results = await database.tx((tx) =>
      together([
        read(tx),
        sql`insert into counters values (900, 1)`.execute(tx),
        read(tx),
        sql`update counters set n = n + 1 where id = 900`.execute(tx),
        read(tx),
        sql`delete from counters`.execute(tx),
      ]),
    )
    expect([results[0].rows, results[2].rows, results[4].rows]).toEqual([[], [{ n: 1 }], [{ n: 2 }]])
  })

  test('fail by what failed first, however deep it was asked for, and leave nothing behind', async () => {
    const deep = async (tx: Db): Promise<unknown> => {
      const late = async () => sql`select 1 / 0`.execute(tx)
      return together([late(), sql`select 1`.execute(tx)])
    }
    const failed = database.tx((tx) =>
      together([
        sql`insert into counters values (901, 1)`.execute(tx),
        deep(tx),
        sql`select 1`.execute(tx),
        sql`insert into counters values (902, 1)`.execute(tx),
      ]),
    )
    expect(sqlState(await failed.catch((error: unknown) => error))).toBe('22012')
    expect(await rowsOf(database)('select id from counters where id in (901, 902)')).toEqual([])
  })
})

describe('a commit that is sent behind the statements of its transaction', () => {
  const counted = () => rowsOf(database)('select id, n from counters where id between 910 and 919 order by id')

  test('commits all that was asked for before it, and the connection goes on', async () => {
    const work = (n: number) =>
      database.tx((tx) =>
        together([
          sql`insert into counters values (${910 + n}, 0)`.execute(tx),
          sql`update counters set n = n + 1 where id = ${910 + n}`.execute(tx),
          commitBehind(tx),
        ]),
      )
    await Promise.all(Array.from({ length: 10 }, (_, n) => work(n)))
    expect(await counted()).toEqual(Array.from({ length: 10 }, (_, n) => ({ id: 910 + n, n: 1 })))
    await rowsOf(database)('delete from counters where id between 910 and 919')
  })

  test('commits nothing where one of them failed, and throws that failure', async () => {
    const failed = database.tx((tx) =>
      together([
        sql`insert into counters values (910, 0)`.execute(tx),
        sql`select 1 / 0`.execute(tx),
        sql`insert into counters values (911, 0)`.execute(tx),
        commitBehind(tx),
      ]),
    )
    expect(sqlState(await failed.catch((error: unknown) => error))).toBe('22012')
    expect(await counted()).toEqual([])
    expect(await database.tx(async () => 'goes on')).toBe('goes on')
  })

  test('ends the transaction: a statement after it fails', async () => {
    const late = database.tx(async (tx) => {
      await commitBehind(tx)
      await sql`insert into counters values (910, 0)`.execute(tx)
    })
    await expect(late).rejects.toThrow('after the commit of its transaction')
    expect(await counted()).toEqual([])
  })
})

test('a statement that is marked to be kept stays prepared on PostgreSQL, and answers the same on both', async () => {
  const read = async () =>
    database.tx(async (tx) => {
      const { rows } = await sql<{ n: number }>`${sql.raw(kept('told_twice'))} select ${2}::integer as n`.execute(tx)
      const prepared = await sql`select from pg_prepared_statements where name = 'told_twice'`.execute(tx)
      return [rows, prepared.rows.length]
    })
  const there = database.kind === 'postgres' ? 1 : 0
  expect(await read()).toEqual([[{ n: 2 }], there])
  expect(await read()).toEqual([[{ n: 2 }], there])
})

describe('a transaction', () => {
  const failing = (state: string) => sql.raw(`do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`)

  test.each(['40001', '40P01'])('is run again after SQLSTATE %s, from the start', async (state) => {
    let turns = 0
    const result = await database.tx(async (tx) => {
      turns++
      await sql`insert into counters (id, n) values (1, 0)`.execute(tx)
      if (turns < 3) await failing(state).execute(tx)
      return turns
    })
    expect(result).toBe(3)
    expect(await rowsOf(database)('delete from counters returning id')).toHaveLength(1)
  })

  test('is run again where its work asks for it, and gives up as overloaded', async () => {
    let turns = 0
    const work = database.tx(async () => {
      turns++
      throw new Retry('somebody was quicker')
    })
    await expect(work).rejects.toMatchObject({ code: 'overloaded' })
    expect(turns).toBe(12)
  })

  test('is not run again for anything else, and leaves nothing behind', async () => {
    let turns = 0
    const work = database.tx(async (tx) => {
      turns++
      await sql`insert into counters (id, n) values (1, 0)`.execute(tx)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(turns).toBe(1)
    expect(await rowsOf(database)('select 1 from counters')).toEqual([])
  })

  test('fails where its work hides that a statement failed', async () => {
    const hidden = database.tx(async (tx) => {
      await failing('22000')
        .execute(tx)
        .catch(() => undefined)
      return 'done'
    })
    await expect(hidden).rejects.toThrow()
  })
})

describe('errors', () => {
  test('a violated unique index is known by its name on either database', async () => {
    await rowsOf(database)('insert into counters (id, n) values (7, 0)')
    const error = await rowsOf(database)('insert into counters (id, n) values (7, 0)').catch(
      (caught: unknown) => caught,
    )
    expect(isUniqueViolation(error, 'counters_pkey')).toBe(true)
    expect(isUniqueViolation(error, 'creatives_live_name')).toBe(false)
    expect([sqlState(error), isUnavailable(error)]).toEqual(['23505', false])
  })

  test.each(['57P01', '57P03', '53300', '53100', '58030', '25006', '08006'])(
    'SQLSTATE %s means that the database is unavailable',
    (code) => {
      expect(isUnavailable(Object.assign(new Error('made up'), { code }))).toBe(true)
    },
  )

  test.each(['timeout expired', 'Query read timeout'])('a driver’s “%s” means that it is unavailable', (message) => {
    expect(isUnavailable(new Error(message))).toBe(true)
  })

  test('a socket that is not there may come, a certificate that is not there is a wrong setting', () => {
    const missing = (syscall: string) => Object.assign(new Error('made up'), { code: 'ENOENT', syscall })
    expect([isUnavailable(missing('connect')), isUnavailable(missing('open'))]).toEqual([true, false])
  })
})

describe('values', () => {
  const value = async (expression: string): Promise<unknown> => {
    const [[read] = []] = await database.read({ name: null, text: `select (${expression})` }, [])
    const [row] = await rowsOf(database)(`select (${expression}) as it`)
    expect(row?.it).toEqual(read) // both methods return the same value
    return read
  }

  test.each([
    ['2026-11-21 10:00:00.1+00', '2026-11-21T10:00:00.100Z'],
    ['2026-11-21 12:00:00+02', '2026-11-21T10:00:00.000Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['0049-06-01 00:00:00.007+00', '0049-06-01T00:00:00.007Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('the time %s arrives as %s, however it is read', async (text, expected) => {
    expect(await value(`'${text}'::timestamptz(3)`)).toBe(expected)
    expect(await value(`iso('${text}'::timestamptz(3))`)).toBe(expected)
  })

  test('a time that came from us means the same row when it comes back', async () => {
    const [{ now }] = await rowsOf(database)('select now_ms() as now')
    expect(await value(`'${now}'::timestamptz(3)`)).toBe(now)
  })

  test('big integers and numerics are numbers', async () => {
    expect(await value('9007199254740991::bigint')).toBe(9_007_199_254_740_991)
    expect(await value('12.5::numeric')).toBe(12.5)
    expect(await value('select sum(n) from (values (1::bigint), (2)) as v (n)')).toBe(3)
  })

  test('an integer that no number holds is an error, not another integer', async () => {
    await expect(value('9007199254740993::bigint')).rejects.toThrow('past 2^53')
  })

  test('arrays, JSON, null and bytes', async () => {
    expect(await value(`array['a', null, 'b,"c']`)).toEqual(['a', null, 'b,"c'])
    expect(await value(`'{"a": [1, null]}'::jsonb`)).toEqual({ a: [1, null] })
    expect(await value('null::text')).toBeNull()
    const bytes = await value(`'\\x00ff'::bytea`)
    expect([...(bytes instanceof Uint8Array ? bytes : [])]).toEqual([0, 255])
  })
})
