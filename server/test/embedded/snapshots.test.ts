// Facts about snapshots of the embedded database: a damaged folder is reported and replaced by the newest snapshot, and the
// database stays usable while a snapshot is taken.
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSnapshots, snapshotsIn } from '../../src/platform/backup/snapshots.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { databaseFolder, embeddedEngine } from '../../src/platform/embedded.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'

const root = await mkdtemp(path.join(tmpdir(), 'atelier-snapshots-'))
afterEach(killChildren)
afterAll(() => rm(root, { recursive: true, force: true }))

async function command(dataDir: string, ...args: string[]) {
  const child = startChild('server/src/main.ts', args, { ATELIER_DATA_DIR: dataDir, PORT: '0' })
  const { code } = await child.ended
  return { code, said: child.stdout() + child.stderr() }
}

test('a damaged folder says what it found, and goes back to the newest of the snapshots that are kept', async () => {
  const dataDir = path.join(root, 'damaged')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  const { take } = createSnapshots(database, dataDir, 2)
  await database.script(
    'drop table tasks, creatives cascade; create table tasks (n int); create table creatives (n int)',
  )
  for (let n = 0; n < 3; n += 1) {
    await database.script(`insert into tasks values (${n})`)
    // Statements that arrive during a snapshot are executed before or after the copy of the folder, and do not fail.
    await Promise.all([take(), database.script('select 1'), database.tx(async (tx) => tx)])
  }
  await database.close()
  expect(snapshotsIn(dataDir)).toHaveLength(2)

  await truncate(path.join(databaseFolder(dataDir), 'global', 'pg_control'), 100)
  const refused = await command(dataDir, 'serve')
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(/does not open .*\n.*newest snapshot is of 20\S+Z/)
  expect(refused.said).not.toMatch(/\n\s+at /)

  expect(await command(dataDir, 'restore', '--snapshot', 'latest')).toMatchObject({
    code: 0,
    said: expect.stringContaining('3 tasks, 0 creatives'),
  })
  expect((await readdir(dataDir)).filter((name) => name.startsWith('pg-before-'))).toHaveLength(1)
})
