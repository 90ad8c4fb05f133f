// Facts about readiness: a process that stops, or whose database is away, refuses as the OpenAPI document says.
import Fastify from 'fastify'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { unavailable } from '../availability.ts'
import type { Tables } from '../tables.ts'
import { bindHealth } from './health.ts'
import { refuse } from './refuse.ts'

/** A database that has no tables, so that it does not have this version's schema. */
const empty = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test('a process that stops says so as every other refusal is said, before it asks the database', async () => {
  const state = { stopping: false }
  const server = Fastify()
  server.setErrorHandler((error, request, reply) => refuse(error, request, reply, 'Bearer'))
  bindHealth(server, {
    database: { main: empty },
    config: { metricsHost: '127.0.0.1', metricsPort: null, metricsToken: null },
    metrics: { text: async () => '', contentType: 'text/plain' },
    draining: () => state.stopping,
    unavailable,
  })
  const ask = async () => {
    const { statusCode, headers, body } = await server.inject('/readyz')
    return [statusCode, headers['content-type'], headers['retry-after'], JSON.parse(body).code]
  }
  const problem = 'application/problem+json; charset=utf-8'
  expect(await ask()).toEqual([503, problem, '2', 'database_unavailable'])
  state.stopping = true
  expect(await ask()).toEqual([503, problem, '5', 'shutting_down'])
  await server.close()
})
