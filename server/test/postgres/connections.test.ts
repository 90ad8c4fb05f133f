// Facts about one connection of the pool: how it sends queries, and what it keeps between queries.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { prepareClient } from '../../src/platform/postgres-client.ts'
import { createDatabase } from '../support/harness.ts'

let client: pg.Client
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ url, drop } = await createDatabase())
  client = new pg.Client({ connectionString: url, pipeline: true })
  await client.connect()
  prepareClient(client, 60_000)
})
afterAll(async () => {
  await client.end()
  await drop()
})

/** Sends `count` queries at once. */
const askTimes = (count: number) =>
  Array.from({ length: count }, (_, index) => client.query('select $1::int as number', [index]))

test('what is asked for in one turn of the event loop goes out in one packet, in its order', async () => {
  const { stream } = client.connection
  const asked = askTimes(5)
  const heldBack = stream.writableCorked
  const answers = await Promise.all(asked)
  expect(answers.map(({ rows }) => rows[0].number)).toEqual([0, 1, 2, 3, 4])
  expect([heldBack, stream.writableCorked]).toEqual([1, 0])
})

test('statements that wait for their answers have no timer each', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const asked = askTimes(50)
  const meanwhile = timers()
  await Promise.all(asked)
  expect(meanwhile).toBe(before)
})

test('a statement that fails says so to its caller, and those after it are answered', async () => {
  const [failed, after] = await Promise.allSettled([
    client.query('select 1 / $1::int', [0]),
    client.query('select 2 as two'),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(after).toMatchObject({ status: 'fulfilled', value: { rows: [{ two: 2 }] } })
})

test('a closed engine has no connection left, also where nothing went through Kysely', async () => {
  const database = postgresEngine(url, { connections: 2, log: createLog('fatal') })
  expect(await database.script('select 1 as one')).toEqual([{ one: 1 }])
  expect(database.connections().total).toBe(1)
  await database.close()
  expect(database.connections().total).toBe(0)
})
