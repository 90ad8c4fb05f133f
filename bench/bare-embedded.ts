// In charge of the baseline for a start on the embedded database: opens the database in the given folder, sends one query, prints
// the memory of this process in MB, and ends.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create({ dataDir: path.join(process.argv[2] ?? '', 'pg') })
await database.query('select count(*) from (select 1 from tasks limit 1) as it')
const [, kilobytes = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
console.log(Number(kilobytes) / 1024)
await database.close()
