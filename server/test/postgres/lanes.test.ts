// Facts about brief reads, which share connections of the pool.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DatabaseDriver, Statement } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createDatabase } from '../support/harness.ts'

let url: string
let drop: () => Promise<void>
let database: DatabaseDriver
const open = (connections: number) => postgresEngine(url, { connections, log: createLog('fatal') })
beforeAll(async () => {
  ;({ url, drop } = await createDatabase())
})
beforeEach(() => {
  database = open(10)
})
afterEach(() => database.close())
afterAll(() => drop())

const brief = (text: string): Statement => ({ name: null, text, brief: true })
const own: Statement = brief('select pg_backend_pid(), $1::int')
/** Sends `count` reads at once, and returns how many connections answered them. */
async function answeredBy(count: number, statement: Statement = own): Promise<number> {
  const reads = await Promise.all(Array.from({ length: count }, (_, place) => database.read(statement, [place])))
  expect(reads.map((rows) => rows[0]?.[1])).toEqual(Array.from({ length: count }, (_, place) => place))
  return new Set(reads.map((rows) => rows[0]?.[0])).size
}

test('sixteen brief reads at once go over two connections, and each gets its own answer', async () => {
  expect(await answeredBy(16)).toBe(2)
  expect(database.connections()).toEqual({ total: 2, idle: 2, waiting: 0 })
})

test('what is more than that gets connections of its own', async () => {
  expect(await answeredBy(19)).toBe(5)
})

test('reads that may take long share no connection', async () => {
  expect(await answeredBy(6, { ...own, brief: false })).toBe(6)
})

test('reads one after the other take one connection', async () => {
  expect(await answeredBy(1)).toBe(1)
  expect(await answeredBy(1)).toBe(1)
  expect(database.connections().total).toBe(1)
})

test('half of the connections are left for what changes something, however many read', async () => {
  await database.close()
  database = open(2)
  let isWritten = false
  const reading = async (): Promise<void> => {
    while (!isWritten) await answeredBy(4)
  }
  const readers = Promise.all([reading(), reading()])
  const written = await database.script('create table written (at int); insert into written values (1) returning at')
  isWritten = true
  expect(written).toEqual([{ at: 1 }])
  await readers
})

test('of reads that share a connection one fails alone', async () => {
  const reads = [1, 0, 2, 0, 4].map((by) => database.read(brief('select 8 / $1::int'), [by]))
  const results = await Promise.allSettled(reads)
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code))).toEqual([
    [[8]],
    '22012',
    [[4]],
    '22012',
    [[2]],
  ])
})

test('a statement that a migration has made invalid where it is prepared fails once for each connection', async () => {
  const all: Statement = { name: 'all_of_it', text: 'select * from changing', brief: true }
  await database.script('create table changing (one int); insert into changing values (1)')
  expect(await database.read(all, [])).toEqual([[1]])
  await database.script('alter table changing add column two int default 2')
  await expect(database.read(all, [])).rejects.toThrow('cached plan must not change result type')
  expect(await database.read(all, [])).toEqual([[1, 2]])
  await database.script('drop table changing')
})

test('reads on a connection that is lost fail, and the next ones are answered', async () => {
  const ending = brief('select pg_terminate_backend(pg_backend_pid()), $1::int')
  const lost = await Promise.allSettled([0, 1, 2, 3].map((place) => database.read(ending, [place])))
  expect(lost.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await answeredBy(16)).toBe(2)
})

test('where no connection can be had, every read says so', async () => {
  await database.close()
  const nowhere = new URL(url)
  nowhere.pathname = '/no_such_database'
  database = postgresEngine(nowhere.href, { connections: 4, log: createLog('fatal') })
  const reads = await Promise.allSettled([0, 1, 2].map((place) => database.read(own, [place])))
  expect(reads.map((read) => read.status === 'rejected' && read.reason.code)).toEqual(Array(3).fill('3D000'))
})
