// Facts about a database that stops, has a full disk, is frozen or overloaded, and recovers: two services on a separate cluster.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createApp } from '../../src/wiring/app.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Reply, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let cluster: Cluster
let one: Service
let other: Service
let task: Body
beforeAll(async () => {
  cluster = await startCluster({ settings: { max_connections: '50' } })
  one = await startService({}, cluster.url)
  other = await one.another()
  task = await makers(one).task({ name: 'Outlives an outage' })
})
afterAll(async () => {
  await other?.close()
  await one?.close()
  await cluster?.remove()
})

const board = '/api/v1/tasks/board?limit=1'
const taskPath = () => `/api/v1/tasks/${task.id}`

function expectUnavailable({ status, headers, body }: Reply): void {
  expect([status, body.code]).toEqual([503, 'database_unavailable'])
  expect(headers['retry-after']).toBe('2')
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
}
const healed = async (service: Service): Promise<void> => {
  await eventually(async () => expect((await service.get(board)).status).toBe(200))
  await eventually(() => expect(service.database.listening()).toBe(true))
}
async function connect(service: Service): Promise<pg.Client> {
  const client = new pg.Client(service.url ?? '')
  client.on('error', () => undefined) // a test may stop the server while this client is connected
  await client.connect()
  return client
}
/** Repeats the request until the returned function is called; that function returns all replies. */
function asking(ask: () => Promise<Reply>): () => Promise<Reply[]> {
  let stopped = false
  const replies: Reply[] = []
  const done = (async () => {
    while (!stopped) {
      replies.push(await ask())
      await nextTurn() // without this, requests that need no database would block the event loop
    }
  })()
  return async () => {
    stopped = true
    await done
    return replies
  }
}

test('while the database is stopped every call is a 503, and once it is back all is well by itself', async () => {
  const stops = [
    asking(() => one.get(board)),
    asking(() => one.patch(taskPath(), { priority: 3 })),
    asking(() => other.get(taskPath())),
    asking(() => other.post(`${taskPath()}/comments`, { text: 'Still there?' })),
  ]
  await cluster.stop('fast')
  await eventually(async () => expectUnavailable(await one.get(board)))
  await eventually(async () => expectUnavailable(await other.get(board)))
  expect((await one.get('/healthz', { token: null })).status).toBe(200)
  expectUnavailable(await one.get('/readyz', { token: null }))
  // A token that the process has cached gives no access while the process cannot check it in the database.
  expectUnavailable(await one.get('/api/v1/users/me'))

  await cluster.restart()
  await healed(one)
  await healed(other)
  for (const stop of stops) for (const reply of await stop()) if (reply.status !== 200) expectUnavailable(reply)
  expect((await one.get('/readyz', { token: null })).status).toBe(200)
})

test('after it is back a revoked token is noticed in the other process by notice again', async () => {
  const { data: issued } = await one.post('/api/v1/tokens', { name: 'Brief', scopes: ['read'] })
  expect((await other.get(board, { token: issued.token })).status).toBe(200)
  await one.del(`/api/v1/tokens/${issued.id}`)
  await eventually(async () => expect((await other.get(board, { token: issued.token })).status).toBe(401))
})

test('a process that has lost its notices trusts nothing it remembers, until it hears again', async () => {
  const { data: issued } = await one.post('/api/v1/tokens', { name: 'Brief', scopes: ['read'] })
  expect((await other.get(board, { token: issued.token })).status).toBe(200)
  // The listeners' connections are ended and new connections are refused; only the connections in the pools remain.
  const admin = new pg.Client(cluster.url)
  await admin.connect()
  const name = new URL(one.url ?? '').pathname.slice(1)
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query like 'listen%'`,
    [name],
  )
  await eventually(() => expect(other.database.listening()).toBe(false))
  await one.rows('update tokens set revoked_at = now_ms() where id = $1', [issued.id])
  expect((await other.get(board, { token: issued.token })).status).toBe(401)
  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()
  await healed(one)
  await healed(other)
})

test('an immediate shutdown in the middle of transactions breaks nothing but them', async () => {
  const blocker = await connect(one)
  await blocker.query('begin')
  await blocker.query('select 1 from tasks where id = $1 for update', [task.id])
  const before = (await one.get(taskPath())).data
  const under = ['a', 'b', 'c', 'd'].map((name) => one.patch(taskPath(), { name }))
  await eventually(async () => {
    const { rows } = await blocker.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
    expect(rows).toHaveLength(4)
  })
  await cluster.stop('immediate')
  for (const reply of await Promise.all(under)) expectUnavailable(reply)
  await blocker.end().catch(() => undefined)

  await cluster.restart()
  await healed(one)
  await healed(other)
  expect((await one.get(taskPath())).data).toEqual(before)
  expect((await one.patch(taskPath(), { name: 'Written again' })).status).toBe(200)
})

test('where the server takes no more connections a call is a 503, and as soon as it does all is well', async () => {
  const admin = await connect(one)
  const hogs: pg.Client[] = []
  const fill = async (): Promise<void> => {
    for (;;) {
      const hog = new pg.Client(cluster.url)
      hog.on('error', () => undefined)
      try {
        await hog.connect()
        hogs.push(hog)
      } catch {
        return // this connection was over the limit
      }
    }
  }
  await fill()
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier'`)
  await eventually(async () => {
    await fill()
    expectUnavailable(await one.get(board))
  })
  expect((await one.get('/healthz', { token: null })).status).toBe(200)
  for (const hog of hogs) await hog.end()
  await admin.end()
  await healed(one)
  await healed(other)
})

/** Raises the error that the server raises on a full disk; a really full disk would need a separate file system. */
const full = (table: string): string => `
  create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on ${table} for each row execute function full_disk()`

test('where the disk is full writes are a 503 and reads go on', async () => {
  await one.rows(full('comments'))
  const refused = await one.post(`${taskPath()}/comments`, { text: 'No room' })
  expectUnavailable(refused)
  expect(refused.body.detail).toMatch(/^The disk of the database is full/)
  expect((await one.get(taskPath())).status).toBe(200)
  await one.rows('drop trigger full_disk on comments')
  expect((await one.post(`${taskPath()}/comments`, { text: 'Room' })).status).toBe(200)
})

test('a caller who waits too long for a connection is told of overload, and nobody else is turned away', async () => {
  const blocker = await connect(one)
  await blocker.query('begin')
  await blocker.query('select 1 from tasks where id = $1 for update', [task.id])
  const waiting = Array.from({ length: 10 }, (_, index) => one.patch(taskPath(), { priority: (index % 5) + 1 }))
  await eventually(() => expect(one.database.connections()).toEqual({ total: 10, idle: 0, waiting: 0 }))
  const turnedAway = await one.get(taskPath())
  expect([turnedAway.status, turnedAway.body.code, turnedAway.headers['retry-after']]).toEqual([503, 'overloaded', '1'])
  await blocker.query('rollback')
  await blocker.end()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  expect((await one.get(taskPath())).status).toBe(200)
})

test('a server that is frozen is given up on, and taken up again once it goes on', async () => {
  const log = createLog('silent')
  const database = openDatabase(postgresEngine(one.url ?? '', { connections: 2, log, statementTimeoutMs: 500 }))
  const app = await createApp({ config: one.config, database, log, clock: systemClock })
  const ask = () => app.server.inject({ url: board, headers: { authorization: `Bearer ${one.owner.token}` } })
  expect((await ask()).statusCode).toBe(200)
  signalServer('SIGSTOP')
  try {
    const asked = await Promise.all([ask(), ask(), ask()])
    for (const { statusCode } of asked) expect(statusCode).toBe(503)
  } finally {
    signalServer('SIGCONT')
  }
  await eventually(async () => expect((await ask()).statusCode).toBe(200))
  await app.stop()
})

test('a check of readiness does not wait for a frozen server as long as SQL statements do', async () => {
  expect((await one.get('/readyz', { token: null })).status).toBe(200)
  let isOver = false
  signalServer('SIGSTOP')
  const asked = one.get(board).finally(() => {
    isOver = true
  })
  try {
    expectUnavailable(await one.get('/readyz', { token: null }))
    expect(isOver).toBe(false)
  } finally {
    signalServer('SIGCONT')
  }
  expect((await asked).status).toBe(200)
})

/** Sends a signal to the server and all its processes. */
function signalServer(signal: NodeJS.Signals): void {
  const postmaster = Number.parseInt(readFileSync(path.join(cluster.dataDir, 'postmaster.pid'), 'utf8'), 10)
  const children = `/proc/${postmaster}/task/${postmaster}/children`
  const pids = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ').map(Number) : []
  for (const pid of [postmaster, ...pids]) process.kill(pid, signal)
}

test("a URL's own options are kept, but not those that statements count on", async () => {
  const address = new URL(one.url ?? '')
  address.searchParams.set(
    'options',
    [
      ...['-c timezone=Asia/Kolkata', '-c search_path=elsewhere', '-c datestyle=German'],
      ...['-c standard_conforming_strings=off', '-c lock_timeout=300'],
    ].join(' '),
  )
  const database = openDatabase(postgresEngine(address.href, { connections: 1, log: createLog('silent') }))
  const text = String.raw`select current_setting('search_path'), '2026-11-21 10:00:00+00'::timestamptz, '\n', current_setting('lock_timeout')`
  const [row] = await database.read({ name: null, text }, [])
  expect(row).toEqual(['elsewhere', '2026-11-21T10:00:00.000Z', String.raw`\n`, '0'])
  await database.close()
})

test('a bounded read is ended by the server, and the bound is gone from the connection afterwards', async () => {
  const database = openDatabase(postgresEngine(one.url ?? '', { connections: 1, log: createLog('silent') }))
  const slow = { name: null, text: 'select pg_sleep(10)' }
  await expect(database.read(slow, [], 50)).rejects.toMatchObject({ code: '57014' })
  const [[bound] = []] = await database.read({ name: null, text: `select current_setting('statement_timeout')` }, [])
  expect(bound).toBe('30s')
  await database.close()
})

test('where the database only reads, writes are a 503 with words of their own, reads go on, and the log has one line', async () => {
  const kept = await startService({}, cluster.url)
  onTestFinished(kept.close)
  const lines: Body[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const database = openDatabase(postgresEngine(kept.url ?? '', { connections: 2, log }))
  const app = await createApp({ config: kept.config, database, log, clock: systemClock })
  onTestFinished(app.stop)
  const headers = { authorization: `Bearer ${kept.owner.token}` }
  const read = () => app.server.inject({ url: board, headers })
  const write = () => app.server.inject({ method: 'POST', url: '/api/v1/tasks', headers, payload: { name: 'Written' } })
  const name = new URL(kept.url ?? '').pathname.slice(1)
  const admin = await connect(one)
  onTestFinished(() => admin.end())
  // The setting holds for new connections, so those that are there are ended; the first request notices that they are gone.
  const set = async (how: string): Promise<void> => {
    await admin.query(`alter database ${name} ${how}`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await eventually(async () => expect((await read()).statusCode).toBe(200))
  }
  await set('set default_transaction_read_only = on')
  for (let turn = 0; turn < 3; turn++) {
    const refused = await write()
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'database_unavailable'])
    expect(refused.json().detail).toMatch(/^The database only reads just now/)
    expect((await read()).statusCode).toBe(200)
  }
  const told = lines.filter(({ msg }) => msg?.startsWith('the database takes no writes'))
  expect(told).toMatchObject([{ why: expect.stringContaining('read-only transaction') }])
  await set('reset default_transaction_read_only')
  expect((await write()).statusCode).toBe(200)
})

test('a worker starts while nothing is written, and is listed once it can be', async () => {
  const filled = await startService({}, cluster.url)
  onTestFinished(filled.close)
  await filled.rows(full('workers'))
  await filled.app.worker.start()
  const listed = () => filled.rows('select name from workers')
  expect(await listed()).toEqual([])
  await filled.rows('drop trigger full_disk on workers')
  await eventually(async () => expect(await listed()).toHaveLength(1))
})
