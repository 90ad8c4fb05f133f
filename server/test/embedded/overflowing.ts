// In charge of a process for a test whose log cannot be written: it opens the embedded database in a folder, begins a new file of
// the log, and has the system refuse it to write more than 8 of the file's 16 MB. Then it commits one row after the other, and prints
// the number of each that is acknowledged. Usage: `node overflowing.ts <folder>`
import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'

const database = openDatabase(await embeddedEngine(process.argv[2] ?? ''))
await sql`select pg_switch_wal()`.execute(database.main)
await sql`insert into filled values (0, '')`.execute(database.main) // now PostgreSQL makes the new file
// Without a listener, this signal would end the process before PostgreSQL gets the error.
process.on('SIGXFSZ', () => undefined)
execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${8 * 1024 * 1024}`])
for (let n = 1; ; n++) {
  // The text is random, since PostgreSQL would compress another one.
  await database.tx((tx) =>
    sql`insert into filled select ${n}, string_agg(md5(random()::text), '') from generate_series(1, 10000)`.execute(tx),
  )
  process.stdout.write(`${n}\n`)
}
