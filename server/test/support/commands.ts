// In charge of running our commands on PostgreSQL databases of tests, and of looking at what they have done there.
import pg from 'pg'
import { startChild } from './child.ts'

type Target = { url: string } | undefined

/** Sends a statement to a database, over a connection of its own, and returns the rows. */
export async function rowsOf(database: Target, text: string): Promise<unknown[]> {
  const client = new pg.Client(database?.url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Runs a command with this data folder and this database to its end. */
export async function runCommand(dataDir: string, database: Target, ...args: string[]) {
  const child = startChild('server/src/main.ts', args, { ATELIER_DATA_DIR: dataDir, DATABASE_URL: database?.url ?? '' })
  const { code } = await child.ended
  return { code, out: child.stdout(), error: child.stderr() }
}
