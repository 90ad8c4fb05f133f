// In charge of a process for a crash test to kill: it opens the embedded database in a folder, commits one row after the other,
// and prints the number of each row once its commit is acknowledged. Usage: `node committing.ts <folder>`
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'

const database = openDatabase(await embeddedEngine(process.argv[2] ?? ''))
const { rows } = await sql<{ last: number }>`select coalesce(max(n), 0) as last from committed`.execute(database.main)
for (let n = (rows[0]?.last ?? 0) + 1; ; n++) {
  await database.tx(async (tx) => {
    await sql`insert into committed (n, said) values (${n}, repeat('so ', 500))`.execute(tx)
    await sql`update committed set said = said || '!' where n = ${n}`.execute(tx)
  })
  process.stdout.write(`${n}\n`)
}
