// Facts about the folder of an embedded database: only one process can open it at a time, and a killed process loses nothing
// that it acknowledged.
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { FolderInUse, lockFolder } from '../../src/platform/folder-lock.ts'
import { OperatorError } from '../../src/platform/operator-error.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'
import { rowsOf } from '../support/harness.ts'

let folder: string
beforeAll(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'atelier-folder-')), 'data')
})
afterEach(killChildren)
afterAll(() => rm(path.dirname(folder), { recursive: true, force: true }))

/** Opens the folder's database. A new folder gets a copy of a migrated database, which is faster than migrating. */
async function open(): Promise<Database> {
  const isNew = await stat(path.join(folder, 'pg')).then(
    () => false,
    () => true,
  )
  const snapshot = isNew ? await migratedSnapshot() : undefined
  return openDatabase(await embeddedEngine(folder, { snapshot }))
}

describe('a folder that is open', () => {
  let database: Database
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  test('is refused to another process, with a sentence that says what to do', async () => {
    const other = startChild('server/src/main.ts', ['migrate'], { ATELIER_DATA_DIR: folder })
    expect(await other.ended).toEqual({ code: 1, signal: null })
    expect(other.stderr().trim()).toBe(
      `The embedded database in ${folder} is open in process ${process.pid} on ${hostname()}. ` +
        'It takes one process only: stop that one, and say this again.',
    )
  })

  test('is refused to a second opening in the same process', async () => {
    await expect(open()).rejects.toThrow(FolderInUse)
  })

  test('is for its owner only', async () => {
    expect((await stat(folder)).mode & 0o077).toBe(0)
  })
})

test('a folder that was closed is free again', async () => {
  const again = await open()
  await expect(again.close()).resolves.toBeUndefined()
})

test('a folder on a full disk can be locked, as a backup of a stopped service needs nothing else of it', async () => {
  const full = path.join(path.dirname(folder), 'full')
  const locking = startChild('server/test/embedded/locking.ts', [full])
  expect([await locking.ended, locking.stdout()]).toEqual([{ code: 0, signal: null }, 'locked\n'])
})

test('a folder that cannot be locked is told in a sentence, whichever command wants it', () => {
  const lock = () => lockFolder('/dev/null/data')
  expect(lock).toThrow(OperatorError)
  expect(lock).toThrow(/^The folder \/dev\/null\/data \(ATELIER_DATA_DIR\) cannot be used: [^\n]*\.$/)
})

test('a folder that cannot be made is told in a sentence', async () => {
  const other = startChild('server/src/main.ts', ['migrate'], { ATELIER_DATA_DIR: '/dev/null/data' })
  expect(await other.ended).toEqual({ code: 1, signal: null })
  expect(other.stderr()).toMatch(/^The folder \/dev\/null\/data \(ATELIER_DATA_DIR\) cannot be used: [^\n]*\n$/)
})

test('crash: a process killed while it commits frees the folder and has lost nothing it acknowledged', async () => {
  const database = await open()
  await rowsOf(database)('create table committed (n integer primary key, said text not null)')
  await database.close()

  for (const acknowledged of [5, 40]) {
    const committing = startChild('server/test/embedded/committing.ts', [folder])
    await committing.printed(new RegExp(`(?:\\d+\\n){${acknowledged}}`))
    committing.kill('SIGKILL')
    expect(await committing.ended).toEqual({ code: null, signal: 'SIGKILL' })
    const last = Number(committing.stdout().trim().split('\n').at(-1))

    const reopened = await open()
    const [found] = await rowsOf(reopened)(
      `select count(*)::integer as n, max(n) as last, bool_and(said like 'so %!') as whole from committed`,
    )
    // The kill may have come between a commit and its acknowledgement; then one more row is there.
    expect([last, last + 1]).toContain(found.last)
    expect(found).toMatchObject({ n: found.last, whole: true })
    await reopened.close()
  }
})

test('a process whose folder is moved away ends and says so, since it would write to what nobody finds', async () => {
  const committing = startChild('server/test/embedded/committing.ts', [folder])
  await committing.printed(/(?:\d+\n){5}/)
  await rename(folder, `${folder}-moved`)
  expect(await committing.ended).toEqual({ code: 1, signal: null })
  expect(committing.stderr()).toBe(movedAway())
})

test('it says the same if the folder is moved while the free space of its disk is read', async () => {
  await rename(`${folder}-moved`, folder)
  const committing = startChild('server/test/embedded/committing.ts', [folder, `${folder}-moved`])
  expect(await committing.ended).toEqual({ code: 1, signal: null })
  expect(committing.stdout().split('\n')).toHaveLength(6) // five rows, and the end of the last line
  expect(committing.stderr()).toBe(movedAway())
})

const movedAway = (): string =>
  `The embedded database ends: the folder ${folder} was removed, moved or replaced. Start again.\n`
