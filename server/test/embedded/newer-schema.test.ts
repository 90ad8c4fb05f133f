// Facts about an embedded database that a newer version has used.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { productVersion } from '../../src/platform/version.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'
import { rowsOf } from '../support/harness.ts'

afterEach(killChildren)

test('its schema is not moved by halves: `move` names the version to move it with', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-newer-'))
  const snapshot = await migratedSnapshot()
  const database = openDatabase(await embeddedEngine(folder, { snapshot }))
  await rowsOf(database)(
    `insert into schema_migrations (number, name, checksum, release, works_from)
     values (9999, 'from_the_future', 'x', '99.1.0', '${productVersion}')`,
  )
  await database.close()
  const target = 'postgres://nobody@127.0.0.1:1/never_asked'
  const child = startChild('server/src/main.ts', ['move', '--to', target], { ATELIER_DATA_DIR: folder })
  expect(await child.ended).toEqual({ code: 1, signal: null })
  expect(child.stderr()).toBe(
    `The embedded database has the schema of Atelier 99.1.0, and Atelier ${productVersion} would not make all of it in ` +
      'the other database: move it with that version.\n',
  )
  await rm(folder, { recursive: true, force: true })
})
