// In charge of creating the folder of an embedded database with a run that is too large to be saved, as it would be left by the
// version of Atelier in `<checkout>`. `deaths`: how many workers have already died on the large run. Usage:
// `node scripts/run.mjs --dev server/test/support/stuck-run.ts <checkout> <folder> [deaths]`.
//
// The checkout's own code creates the database; the rows are written with SQL, which takes seconds. Besides the large run there
// are three small runs; the workers of all four are gone. Prints the owner's token and the runs' ids.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CompiledQuery } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { definitionOf } from './definitions.ts'
import { growRun } from './large-run.ts'

const [checkout = '.', folder = '', deaths = '2'] = process.argv.slice(2)
if (folder === '') throw new Error('Usage: stuck-run.ts <checkout> <folder> [deaths]')

const source = (file: string) => import(pathToFileURL(path.resolve(checkout, 'server/src', file)).href)
const { embeddedEngine } = await source('platform/embedded.ts')
const { openDatabase } = await source('platform/db.ts')
const { migrate } = await source('platform/migrate.ts')
const { ensureOwner } = await source('features/people/owner.ts')

const database = openDatabase(await embeddedEngine(path.resolve(folder)))
await migrate(database)
const { ownerId, token } = await ensureOwner(database, null)
const rows = async (text: string, values: unknown[] = []): Promise<unknown[]> => {
  const { rows } = await database.main.executeQuery(CompiledQuery.raw(text, values))
  return rows
}

/** Creates a running run whose worker has been gone for an hour; `lost`: how many earlier workers died on the run. */
async function lostRun(definition: object, lost: number): Promise<string> {
  const id = uuidv7()
  await rows(
    `insert into runs (id, definition, ui_state, signature, forked_signature, status, owner_id, generation, lease, deaths,
      worker, checkpoint_at, created_at, updated_at, started_at, heartbeat_at)
    select $1, $2, '{}', 'none', 'none', 'running', $3, 1, 1, $4::int, 'gone/1', t, t, t, t, t
    from (select now_ms() - interval '1 hour' as t) as long_ago`,
    [id, JSON.stringify(definition), ownerId, lost],
  )
  return id
}

const large = await lostRun(
  definitionOf({ large: { type: 'list.collect', inputs: { values: ['a'] } } }),
  Number(deaths),
)
await growRun(rows, large, { items: 300, bytes: 1_900_000 })
const others: string[] = []
for (let other = 0; other < 3; other++) {
  others.push(await lostRun(definitionOf({ text: { type: 'input.text', params: { value: `${other}` } } }), 0))
}
await database.close()
process.stdout.write(`${JSON.stringify({ token, large, others })}\n`)
