// Facts about announcing changes to other processes on PostgreSQL while connections are lost.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type Changes, createChanges } from '../../src/platform/changes.ts'
import { type Database, openDatabase, tellChanged } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createDatabase } from '../support/harness.ts'

const logged: string[] = []
const log = createLog('debug', { write: (line) => void logged.push(line) })
let url: string
let drop: () => Promise<void>
let admin: pg.Client
beforeAll(async () => {
  const made = await createDatabase()
  url = made.url
  drop = made.drop
  // To another database: nobody can keep others out of the one that they are in.
  admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await drop()
})

const nameOf = (address: string) => new URL(address).pathname.slice(1)

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A process that announces its changes and hears those of others; its pool has one connection. */
async function startProcess(lookMs = 60_000): Promise<{ database: Database; changes: Changes }> {
  const database = openDatabase(postgresEngine(url, { connections: 1, log, statementTimeoutMs: 500, lookMs }))
  const changes = createChanges(database, log, 20)
  await changes.start()
  ends.push(async () => {
    await changes.stop()
    await database.close()
  })
  return { database, changes }
}

const watched = (changes: Changes) => {
  const seen: string[] = []
  const missed = vi.fn<() => void>()
  changes.watch({ missed, changed: (list) => seen.push(...list.map(({ id }) => id)) })
  return { seen, missed }
}

const change = (database: Database, id: string) => database.tx(async (tx) => tellChanged(tx, 'task', id))

/** The server's processes that serve the connections of other clients, those that listen or all others. */
async function pids(which: 'listening' | 'others'): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number; query: string }>(
    `select pid, query from pg_stat_activity where datname = $1`,
    [nameOf(url)],
  )
  return rows.flatMap(({ pid, query }) => ((which === 'listening') === /^listen|^select 1$/.test(query) ? [pid] : []))
}
const endConnections = (which: number[]) =>
  admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [which])

test('a connection for notifications that is lost for a moment only is told to watchers each time', async () => {
  const { changes } = await startProcess()
  const { missed } = watched(changes)
  for (let times = 1; times <= 3; times++) {
    const [pid = 0] = await pids('listening')
    await endConnections([pid])
    await eventually(() => expect(missed).toHaveBeenCalledTimes(times))
  }
})

test('a connection for notifications whose server is frozen is replaced, though nothing has ended it', async () => {
  const { changes } = await startProcess(50)
  const { seen, missed } = watched(changes)
  const [pid = 0] = await pids('listening')
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  await eventually(() => expect(missed).toHaveBeenCalled())
  const other = await startProcess()
  await change(other.database, 'afterwards')
  await eventually(() => expect(seen).toContain('afterwards'))
})

test('a server that takes no connections for a while is told once, and so is that it does again', async () => {
  logged.length = 0
  const { changes } = await startProcess()
  const { missed } = watched(changes)
  const said = (words: string) => logged.filter((line) => line.includes(words)).length
  await admin.query(`alter database ${nameOf(url)} allow_connections false`)
  onTestFinished(() => void admin.query(`alter database ${nameOf(url)} allow_connections true`))
  await endConnections(await pids('listening'))
  await eventually(() => expect(said('cannot listen for notifications')).toBe(1))
  expect(said('listens for notifications again')).toBe(0)
  await admin.query(`alter database ${nameOf(url)} allow_connections true`)
  await eventually(() => expect(missed).toHaveBeenCalled())
  expect([said('cannot listen for notifications'), said('listens for notifications again')]).toEqual([1, 1])
})

test('where other processes could not be told of changes, they are told to read again', async () => {
  const { changes } = await startProcess()
  const { missed, seen } = watched(changes)
  const { database } = await startProcess()
  await change(database, 'first')
  await eventually(() => expect(seen).toEqual(['first']))
  await admin.query(`alter database ${nameOf(url)} allow_connections false`)
  await endConnections(await pids('others'))
  await eventually(() => expect(database.connections().total).toBe(0))
  // Reported outside a transaction, as there is no connection to make one.
  tellChanged(database.main, 'task', 'second')
  await eventually(() => expect(logged.join('')).toContain('other processes were not told of changes'))
  await admin.query(`alter database ${nameOf(url)} allow_connections true`)
  await eventually(() => expect(missed).toHaveBeenCalled())
  expect(seen).toEqual(['first'])
})

test('what was committed right before a stop is announced by it', async () => {
  const { changes } = await startProcess()
  const { seen } = watched(changes)
  const { database, changes: ending } = await startProcess()
  await change(database, 'last')
  await ending.stop()
  await eventually(() => expect(seen).toEqual(['last']))
})
