// Facts about snapshots of the embedded database: a damaged folder is reported and replaced by the newest snapshot, and the
// database stays usable while a snapshot is taken.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSnapshots, snapshotsIn } from '../../src/platform/backup/snapshots.ts'
import { pack } from '../../src/platform/backup/tools.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { databaseFolder, embeddedEngine } from '../../src/platform/embedded.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'
import { eventually } from '../support/eventually.ts'

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

test('a snapshot that was taken while the clock was ahead is not the newest, and does not keep others from being taken', async () => {
  const dataDir = path.join(root, 'ahead')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  const { take, takeIfDue } = createSnapshots(database, dataDir, 2)
  const first = await take()
  const ahead = '2999-01-01T00-00-00.000Z.tar.gz'
  await rename(first.path, path.join(path.dirname(first.path), ahead))
  await takeIfDue(3600)
  const [, second] = snapshotsIn(dataDir)
  expect(snapshotsIn(dataDir).map(({ name }) => name)).toEqual([ahead, second?.name])
  const third = await take()
  expect(snapshotsIn(dataDir).map(({ name }) => name)).toEqual([second?.name, third.name])
  await database.close()
})

test('a copy for a backup is no snapshot and pushes none out; one that was left behind is removed later', async () => {
  const dataDir = path.join(root, 'copied')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  const { take, copyForBackup, removeAbandoned } = createSnapshots(database, dataDir, 1)
  await removeAbandoned()
  const { name } = await take()
  const first = await copyForBackup()
  expect((await stat(first)).mode & 0o077).toBe(0)
  // Another backup may still be about to read the first copy.
  const second = await copyForBackup()
  const left = async () => (await readdir(path.dirname(first))).toSorted()
  expect(await left()).toEqual([name, path.basename(first), path.basename(second)])
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(first, hoursAgo, hoursAgo)
  const third = await copyForBackup()
  expect(await left()).toEqual([name, path.basename(second), path.basename(third)])
  await removeAbandoned()
  expect(await left()).toEqual([name])
  expect(snapshotsIn(dataDir).map((one) => one.name)).toEqual([name])
  await database.close()
})

test('a snapshot that does not open leaves the database where it is, and the others are pointed at', async () => {
  const dataDir = path.join(root, 'worn')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  const { path: snapshot } = await createSnapshots(database, dataDir, 2).take()
  await database.close()
  await truncate(path.join(databaseFolder(dataDir), 'global', 'pg_control'), 100)
  await pack(databaseFolder(dataDir), snapshot)
  const refused = await command(dataDir, 'restore', '--snapshot', 'latest')
  expect(refused).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      /^The database in this snapshot or backup does not open \([^\n]+\)\. \S+worn\/pg is as it was before/m,
    ),
  })
  expect(refused.said).toContain('npm run restore -- --snapshot list')
  expect(refused.said).not.toContain('There is no snapshot')
  expect((await readdir(dataDir)).filter((name) => /^pg-before|^restoring/.test(name))).toEqual([])
  expect(existsSync(databaseFolder(dataDir))).toBe(true)
})

test('a snapshot whose list of files cannot be read leaves the database where it is', async () => {
  const dataDir = path.join(root, 'unlisted')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  await database.script('drop table files cascade')
  await createSnapshots(database, dataDir, 2).take()
  await database.close()
  const refused = await command(dataDir, 'restore', '--snapshot', 'latest')
  expect(refused).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      /^The list of files in this snapshot cannot be read \([^\n]+\)\. \S+unlisted\/pg is as it was/m,
    ),
  })
  expect(refused.said).not.toMatch(/\n\s+at /)
  expect((await readdir(dataDir)).filter((name) => /^pg-before|^restoring/.test(name))).toEqual([])
})

test('a restored snapshot says which files are gone since, and how many came since; a store that cannot be asked does not keep it back', async () => {
  const dataDir = path.join(root, 'purged')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  const digest = 'ab'.repeat(32)
  await database.script(`insert into files (digest, size, media_type) values ('${digest}', 5, 'text/plain')`)
  await createSnapshots(database, dataDir, 2).take()
  await database.close()
  await mkdir(path.join(dataDir, 'files', 'cd', 'cd'), { recursive: true })
  await writeFile(path.join(dataDir, 'files', 'cd', 'cd', 'cd'.repeat(32)), 'came since')
  const restored = await command(dataDir, 'restore', '--snapshot', 'latest')
  expect(restored).toMatchObject({ code: 1, said: expect.stringContaining('0 tasks, 0 creatives.') })
  expect(restored.said).toContain(
    'Files that are stored and that this database does not name, most likely as they were uploaded later: 1 (0.0 MB).',
  )
  expect(restored.said).toMatch(new RegExp(`The database names 1 file whose bytes are no longer [^\\n]+\n${digest}\n$`))

  const away = { ATELIER_FILES: 's3://nowhere', AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_REGION: 'eu-1' }
  const keys = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }
  const child = startChild('server/src/main.ts', ['restore', '--snapshot', 'latest'], {
    ...{ ATELIER_DATA_DIR: dataDir, ...away, ...keys },
  })
  expect((await child.ended).code).toBe(1)
  expect(child.stdout()).toContain('Start the service.')
  expect(child.stderr()).toMatch(/^Whether the files are there that it names is not known: [^\n]+\n$/)
})

/** Makes a folder with a program `tar` that says that it was started, in a file, and then does nothing until its caller ends. */
async function hangingTar(): Promise<{ folder: string; started: string }> {
  const [folder, started] = [path.join(root, 'bin'), path.join(root, 'tar-started')]
  await mkdir(folder)
  await writeFile(path.join(folder, 'tar'), `#!/bin/sh\n: > '${started}'\nexec cat\n`, { mode: 0o700 })
  return { folder, started }
}

test('crash: a killed restore leaves the database where it is, and no start makes a new one beside what a restore set aside', async () => {
  const dataDir = path.join(root, 'killed')
  const database = openDatabase(await embeddedEngine(dataDir, { snapshot: await migratedSnapshot() }))
  await createSnapshots(database, dataDir, 2).take()
  await database.close()
  const { folder, started } = await hangingTar()
  const restoring = startChild('server/src/main.ts', ['restore', '--snapshot', 'latest'], {
    ...{ ATELIER_DATA_DIR: dataDir, PATH: `${folder}:${process.env.PATH}` },
  })
  await eventually(async () => expect(existsSync(started)).toBe(true))
  restoring.kill('SIGKILL')
  await restoring.ended
  expect(existsSync(databaseFolder(dataDir))).toBe(true)
  expect(await command(dataDir, 'migrate')).toMatchObject({ code: 0 })

  // As if the process had been killed between its two renames, and before that in a folder without a database.
  const aside = path.join(dataDir, 'pg-before-2026-11-24T10-00-00.000Z')
  const unpacked = path.join(dataDir, 'restoring', 'pg')
  await rename(databaseFolder(dataDir), aside)
  for (const left of [[aside, unpacked], [aside], [unpacked]]) {
    if (!left.includes(unpacked)) await rm(path.dirname(unpacked), { recursive: true })
    else await mkdir(unpacked, { recursive: true })
    if (!left.includes(aside)) await rm(aside, { recursive: true })
    expect(await command(dataDir, 'serve')).toMatchObject({
      code: 1,
      said: expect.stringContaining(`but a restore has left ${left.join(' and ')}: it was broken off`),
    })
    expect(existsSync(databaseFolder(dataDir))).toBe(false)
  }

  const again = await command(dataDir, 'restore', '--snapshot', 'latest')
  expect(again).toMatchObject({ code: 0, said: expect.stringMatching(/0 creatives\.\nStart the service\.\n$/) })
  expect(await command(dataDir, 'migrate')).toMatchObject({ code: 0 })
})
