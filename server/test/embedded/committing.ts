// In charge of a process for a crash test to kill: it opens the embedded database in a folder, commits one row after the other,
// and prints the number of each row once its commit is acknowledged. Usage: `node committing.ts <folder> [<moved to>]`. With a second
// folder, it moves the first there itself when the sixth write asks how much space is free.
import { renameSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db.ts'
import { freeBytesOf } from '../../src/platform/disk-room.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'

const [, , folder = '', movedTo] = process.argv
let committed = 0
const freeBytes = (asked: string): number => {
  if (movedTo !== undefined && committed === 5) renameSync(folder, movedTo)
  return freeBytesOf(asked)
}
const database = openDatabase(await embeddedEngine(folder, { freeBytes }))
const { rows } = await sql<{ last: number }>`select coalesce(max(n), 0) as last from committed`.execute(database.main)
for (let n = (rows[0]?.last ?? 0) + 1; ; n++) {
  await database.tx(async (tx) => {
    await sql`insert into committed (n, said) values (${n}, repeat('so ', 500))`.execute(tx)
    await sql`update committed set said = said || '!' where n = ${n}`.execute(tx)
  })
  committed++
  process.stdout.write(`${n}\n`)
}
