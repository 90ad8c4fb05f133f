// In charge of the cluster of the `postgres` test project, and of one migrated database there, which is created once and copied for
// every service under test.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { startCluster } from './cluster.ts'
import { prepare } from './snapshot.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** The name of the migrated database. */
    postgresTemplate: string
  }
}

let end = async (): Promise<void> => undefined

/** Vitest's global setup. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env.ATELIER_TEST_POSTGRES_URL
  const cluster = given ? null : await startCluster()
  const url = new URL(given ?? cluster?.url ?? '')
  const name = `template_${randomBytes(6).toString('hex')}`
  end = () => cluster?.remove() ?? tell(url.href, `drop database if exists ${name}`)
  project.provide('postgresUrl', url.href)
  await tell(url.href, `create database ${name}`)
  url.pathname = `/${name}`
  const database = openDatabase(postgresEngine(url.href, { connections: 1, log: createLog('silent') }))
  await prepare(database)
  await database.close()
  project.provide('postgresTemplate', name)
}

/** Vitest's global teardown. */
export const teardown = (): Promise<void> => end()

async function tell(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
