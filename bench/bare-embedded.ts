// In charge of the baseline for an embedded start: opens the database in a folder, sends one query, prints its memory and ends.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create({ dataDir: path.join(process.argv[2] ?? '', 'pg') })
await database.query('select count(*) from (select 1 from tasks limit 1) as it')
const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
console.log(Number(kilobytes) / 1024)
await database.close()
