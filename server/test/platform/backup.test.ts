// Facts about backups: a backup made while the service runs restores the same workspace into an empty place; and a command that
// would lose data is refused.
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { engine } from '../support/harness.ts'
import { newInstallation } from '../support/installation.ts'
import { type Serving, startServing } from '../support/serving.ts'
import { token, upload } from '../support/stuck-files.ts'

let root: string
const drops: (() => Promise<void>)[] = []
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'atelier-backup-'))
})
afterEach(killChildren)
afterAll(async () => {
  for (const drop of drops) await drop()
  await rm(root, { recursive: true, force: true })
})

/** Creates an installation to be filled (`migrated`) or to be restored into (`empty`), and returns its settings. */
async function place(name: string, how: 'empty' | 'migrated' = 'empty'): Promise<Record<string, string>> {
  const { settings, drop } = await newInstallation(path.join(root, name), how)
  drops.push(drop)
  return { ...settings, ATELIER_OWNER_TOKEN: token }
}

type Ended = { code: number | null; said: string }
/** Runs an operator command until it exits. */
async function command(settings: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = startChild('server/src/main.ts', args, settings)
  const { code } = await child.ended
  return { code, said: child.stdout() + child.stderr() }
}

const ask = async (serving: Serving, method: string, address: string, body?: unknown) => {
  const answer = await serving.ask(method, `/api/v1${address}`, { token, body })
  expect(answer.status, `${address}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body.data
}
const stopped = async (serving: Serving): Promise<void> => {
  serving.kill('SIGTERM')
  await serving.ended
}

/** The parts of a workspace that the test compares: records, a run that waits for a person, and the bytes of a file. */
async function seen(serving: Serving, { task, run, file }: Record<'task' | 'run' | 'file', string>) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    tasks: await ask(serving, 'GET', '/tasks/board'),
    creatives: await ask(serving, 'GET', `/tasks/${task}/creatives`),
    run: await ask(serving, 'GET', `/runs/${run}`),
    bytes: await (await fetch(`${serving.url}/api/v1/files/${file}`, { headers })).text(),
  }
}

/** Creates a task, a creative with a file, and a run that waits for a person. */
async function fill(serving: Serving) {
  const { id: task } = await ask(serving, 'POST', '/tasks', { name: 'Kept' })
  const file = await upload(serving, 'the bytes of a creative', 'text/plain')
  await ask(serving, 'POST', `/tasks/${task}/creatives`, { file })
  const definition = definitionOf({ ask: { type: 'gate.approve', inputs: { value: 'this' } } })
  const graph = await ask(serving, 'POST', '/graphs', { name: 'Waits', definition })
  const { id: run } = await ask(serving, 'POST', `/graphs/${graph.id}/runs`, { execute: true })
  await eventually(async () => expect((await ask(serving, 'GET', `/runs/${run}`)).status).toBe('awaiting_input'))
  return { task, file, run }
}

test('a backup of a running service, put into an empty place, is the same workspace; what came later is not in it', async () => {
  const here: Record<string, string> = { ...(await place('here', 'migrated')), ATELIER_SNAPSHOTS_KEPT: '0' }
  const [there, backups] = [await place('there'), path.join(root, 'backups')]
  const serving = await startServing(here)
  const ids = await fill(serving)
  const before = await seen(serving, ids)
  const made = await command(here, 'backup', '--to', backups)
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining('and 1 file (') })
  // What the service copied for the backup is gone, and is no snapshot.
  const left = await readdir(here.ATELIER_DATA_DIR ?? '', { recursive: true })
  expect(left.filter((name) => /for-backup|making|\.tar\.gz$/.test(name))).toEqual([])
  await ask(serving, 'POST', '/tasks', { name: 'Later' })
  await stopped(serving)
  const [backup = ''] = await readdir(backups)
  expect((await stat(path.join(backups, backup))).mode & 0o077).toBe(0)

  expect(await command(there, 'restore', '--from', backups)).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 task, 1 creative, 1 file.'),
  })
  const restored = await startServing(there)
  expect(await seen(restored, ids)).toEqual(before)
  await stopped(restored)

  // Existing data is not overwritten, and a damaged backup is detected before anything is restored from it.
  expect(await command(there, 'restore', '--from', backups)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/already/),
  })
  const name = engine === 'embedded' ? 'database.tar.gz' : 'database.dump'
  await appendFile(path.join(backups, backup, name), 'x')
  expect(await command(await place('third'), 'restore', '--from', backups)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/damaged/),
  })
})

/** Where a file lies in an installation, or in a backup. */
const pathIn = (folder: string, digest: string): string =>
  path.join(folder, 'files', digest.slice(0, 2), digest.slice(2, 4), digest)

test('a backup without a file that the database names says so, and is restored without that file', async () => {
  const [here, there, backups] = [
    await place('short', 'migrated'),
    await place('other'),
    path.join(root, 'short-backups'),
  ]
  const serving = await startServing(here)
  const { task, file } = await fill(serving)
  await rm(pathIn(here.ATELIER_DATA_DIR ?? '', file))
  const short = {
    code: 1,
    said: expect.stringContaining(`Of 1 file that the database names the bytes are gone: ${file}. `),
  }
  expect(await command(here, 'backup', '--to', backups)).toMatchObject(short)
  await stopped(serving)
  expect(await command(here, 'backup', '--to', backups)).toMatchObject(short)

  const restored = await command(there, 'restore', '--from', backups)
  expect(restored).toMatchObject({ code: 1, said: expect.stringContaining('1 task, 1 creative, 0 files. Start the') })
  expect(restored.said).toMatch(new RegExp(`The database names 1 file whose bytes are not .*\n${file}\n$`))
  const again = await startServing(there)
  expect((await ask(again, 'GET', `/tasks/${task}/creatives`)).items).toHaveLength(1)
  expect((await again.ask('GET', `/api/v1/files/${file}`, { token })).status).toBe(404)
  await stopped(again)
})

test('a file without bytes is named as damaged, in a backup and of one', async () => {
  const [here, backups] = [await place('cut', 'migrated'), path.join(root, 'cut-backups')]
  const serving = await startServing(here)
  const { file } = await fill(serving)
  await stopped(serving)
  expect(await command(here, 'backup', '--to', backups)).toMatchObject({ code: 0 })
  const [whole = ''] = await readdir(backups)
  await truncate(pathIn(here.ATELIER_DATA_DIR ?? '', file))
  expect(await command(here, 'backup', '--to', backups)).toMatchObject({
    code: 1,
    said: expect.stringContaining(`Of 1 file the bytes are no longer those that were stored: ${file}. An earlier`),
  })
  await truncate(pathIn(path.join(backups, whole), file))
  expect(await command(await place('cut-again'), 'restore', '--from', path.join(backups, whole))).toMatchObject({
    code: 1,
    said: expect.stringContaining('1 task, 1 creative, 0 files'),
  })
})

/** A setting with which a process cannot do this with what has this path at its end, as if the disk had failed there. */
const onBadDisk = (end: string, what: 'open' | 'stat' | 'readdir' = 'open') => {
  const program = `import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { ${what}: work } = fs
    fs.${what} = async (path, ...more) => {
      if (!path.endsWith('${end}')) return work(path, ...more)
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    }
    syncBuiltinESMExports()`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
}

test('a file that the disk cannot read is named, and the backup has everything else and can be restored', async () => {
  const [here, backups] = [await place('bad-disk', 'migrated'), path.join(root, 'bad-disk-backups')]
  const serving = await startServing(here)
  const files = [await upload(serving, 'one', 'text/plain'), await upload(serving, 'two', 'text/plain')] as const
  await stopped(serving)
  expect(await command({ ...here, ...onBadDisk(files[0]) }, 'backup', '--to', backups)).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      new RegExp(
        `and 1 file .*\nOf 1 file or folder the bytes cannot be read, [^:]+: ${files[0]}\\. An earlier [^\n]+\n$`,
      ),
    ),
  })
  const there = await place('bad-disk-there')
  const restored = await command(there, 'restore', '--from', backups)
  expect(restored).toMatchObject({ code: 1, said: expect.stringContaining('0 tasks, 0 creatives, 1 file. Start the') })
  expect(restored.said).toMatch(new RegExp(`The database names 1 file whose bytes are not .*\n${files[0]}\n$`))
  expect(await readFile(pathIn(there.ATELIER_DATA_DIR ?? '', files[1]), 'utf8')).toBe('two')

  const copied = path.join(root, 'bad-disk-copied')
  const from = path.join(here.ATELIER_DATA_DIR ?? '', 'files')
  const copy = ['files', 'copy', '--from', from, '--to', copied]
  expect(await command({ ...here, ...onBadDisk(files[0]) }, ...copy)).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      new RegExp(`^1 file .*\nFiles or folders that cannot be read, [^:]+: 1 \\(${files[0]}\\)\\.\n$`),
    ),
  })
})

test('a file and a folder that the disk cannot even list are named, in a backup and where files are restored', async () => {
  const [here, there, backups] = [
    await place('no-inode', 'migrated'),
    await place('no-inode-there'),
    path.join(root, 'inode'),
  ]
  const serving = await startServing(here)
  const [first, second] = [await upload(serving, 'one', 'text/plain'), await upload(serving, 'two', 'text/plain')]
  await stopped(serving)
  const folder = `${second.slice(0, 2)}/${second.slice(2, 4)}`
  for (const [setting, name] of [
    [onBadDisk(first, 'stat'), first],
    [onBadDisk(`files/${folder}`, 'readdir'), `${folder}/`],
  ] as const) {
    const said = new RegExp(
      `and 1 file .*\nOf 1 file or folder the bytes cannot be read, [^:]+: ${name}\\. An [^\n]+\n$`,
    )
    const made = await command({ ...here, ...setting }, 'backup', '--to', backups)
    expect(made).toMatchObject({ code: 1, said: expect.stringMatching(said) })
  }
  await rm(backups, { recursive: true })
  expect(await command(here, 'backup', '--to', backups)).toMatchObject({ code: 0 })
  await cp(path.join(here.ATELIER_DATA_DIR ?? '', 'files'), path.join(there.ATELIER_DATA_DIR ?? '', 'files'), {
    recursive: true,
  })
  const failing = onBadDisk(path.join(there.ATELIER_DATA_DIR ?? '', 'files', folder), 'readdir')
  const restored = await command({ ...there, ...failing }, 'restore', '--from', backups)
  expect(restored).toMatchObject({ code: 1, said: expect.stringContaining('0 tasks, 0 creatives, 1 file. Start the') })
  expect(restored.said).toMatch(new RegExp(`1 file or folder cannot be read, [^\n]+\n${folder}/\n[^\n]+\n${second}\n$`))
})

test('files that were uploaded after the backup are counted by a restore, which leaves them where they are', async () => {
  const [here, there, backups] = [
    await place('later', 'migrated'),
    await place('earlier'),
    path.join(root, 'later-backups'),
  ]
  const serving = await startServing(here)
  await upload(serving, 'one', 'text/plain')
  expect(await command(here, 'backup', '--to', backups)).toMatchObject({ code: 0 })
  const later = await upload(serving, 'later', 'text/plain')
  await stopped(serving)
  const folder = there.ATELIER_DATA_DIR ?? ''
  await cp(path.join(here.ATELIER_DATA_DIR ?? '', 'files'), path.join(folder, 'files'), { recursive: true })
  expect(await command(there, 'restore', '--from', backups)).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /1 file\. Start the service\.\nFiles that are stored [^\n]+: 1 \(0\.0 MB\)\. [^\n]+\n$/,
    ),
  })
  expect(await readFile(pathIn(folder, later), 'utf8')).toBe('later')
})

test('a backup for which the disks have no room is refused before its files are copied', async () => {
  const [here, backups, key] = [await place('large', 'migrated'), path.join(root, 'no'), path.join(root, 'large-key')]
  const dataDir = here.ATELIER_DATA_DIR ?? ''
  // A file of eight terabytes that takes no room itself.
  const file = pathIn(dataDir, 'ab'.repeat(32))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, '')
  await truncate(file, 8e12)
  const [, recipient = ''] = /(age1\S+)/.exec((await command(here, 'backup', '--new-key', key)).said) ?? []
  for (const more of [[], ['--encrypt-for', recipient]])
    expect(await command(here, 'backup', '--to', backups, ...more)).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /^The disk of \S+ has \d+ MB free, and \d+ MB are needed there\. Make room on it\.\n$/,
      ),
    })
  expect([await readdir(backups), (await readdir(dataDir)).filter((name) => name.startsWith('.making'))]).toEqual([
    [],
    [],
  ])
})

test('a file that was there before a restore and is damaged is replaced; one that the backup has damaged too is named', async () => {
  const [here, there, backups] = [
    await place('worn', 'migrated'),
    await place('worn-there'),
    path.join(root, 'worn-backups'),
  ]
  const serving = await startServing(here)
  const files = [await upload(serving, 'one', 'text/plain'), await upload(serving, 'two', 'text/plain')] as const
  await stopped(serving)
  expect(await command(here, 'backup', '--to', backups)).toMatchObject({ code: 0 })
  const [backup = ''] = await readdir(backups)
  const folder = there.ATELIER_DATA_DIR ?? ''
  await cp(path.join(backups, backup, 'files'), path.join(folder, 'files'), { recursive: true })
  await writeFile(pathIn(folder, files[0]), 'ONE')
  await writeFile(pathIn(folder, files[1]), 'TWO')
  await writeFile(pathIn(path.join(backups, backup), files[1]), 'TOO')
  const restored = await command(there, 'restore', '--from', backups)
  expect(restored).toMatchObject({ code: 1, said: expect.stringContaining('0 tasks, 0 creatives, 1 file.') })
  expect(restored.said).toMatch(new RegExp(`Files that were there before, [^\\n]+: 1\\. [^\\n]+\n${files[1]}\n$`))
  expect(await readFile(pathIn(folder, files[0]), 'utf8')).toBe('one')
})

test('what cannot be a backup is refused in a sentence: of a store that is away, of another format, and of no backup', async () => {
  const [here, backups] = [await place('refused', 'migrated'), path.join(root, 'refused-backups')]
  const refused = async (words: RegExp, ...args: string[]) =>
    expect(await command(here, ...args)).toMatchObject({ code: 1, said: expect.stringMatching(words) })
  await refused(/^There is no folder of files at \S+: [^\n]+\n$/, 'backup', '--to', backups)
  await mkdir(path.join(here.ATELIER_DATA_DIR ?? '', 'files'), { recursive: true })
  await refused(/^Nothing can be written to \/dev\/null\/x: [^\n]+\n$/, 'backup', '--to', '/dev/null/x')
  await expect(stat(backups)).rejects.toThrow('ENOENT')
  const backup = path.join(backups, 'atelier-2026-11-26T03-00-00.000Z')
  await mkdir(backup, { recursive: true })
  await writeFile(path.join(backup, 'manifest.json'), '{"format": 2}')
  await refused(/can read/, 'restore', '--from', backups)
  await refused(/no backup/, 'restore', '--from', root)
})

test('an encrypted backup is one file that only its key opens', async () => {
  const [here, backups, key] = [
    await place('sealed', 'migrated'),
    path.join(root, 'sealed-backups'),
    path.join(root, 'key'),
  ]
  await mkdir(path.join(here.ATELIER_DATA_DIR ?? '', 'files'), { recursive: true })
  const made = await command(here, 'backup', '--new-key', key)
  const [, recipient = ''] = /--encrypt-for (age1\S+)/.exec(made.said) ?? []
  expect((await stat(key)).mode & 0o077).toBe(0)
  expect(await command(here, 'backup', '--to', backups, '--encrypt-for', recipient)).toMatchObject({ code: 0 })
  const [backup = '', ...more] = await readdir(backups)
  expect([backup, more]).toEqual([expect.stringMatching(/^atelier-.*\.tar\.age$/), []])
  expect((await stat(path.join(backups, backup))).mode & 0o077).toBe(0)

  const there = await place('opened')
  const refused = async (words: RegExp, ...args: string[]) =>
    expect(await command(there, 'restore', ...args)).toMatchObject({ code: 1, said: expect.stringMatching(words) })
  await refused(/^\S+ is encrypted: name the file of its secret key with --key\.\n$/, '--from', backups)
  const other = path.join(root, 'other-key')
  await command(here, 'backup', '--new-key', other)
  await refused(/cannot be opened with the key in/, '--from', backups, '--key', other)
  const cut = path.join(root, 'cut.tar.age')
  await writeFile(cut, (await readFile(path.join(backups, backup))).subarray(0, -20))
  await refused(/is damaged, or was cut off/, '--from', cut, '--key', key)
  expect(await command(there, 'restore', '--from', backups, '--key', key)).toMatchObject({
    code: 0,
    said: expect.stringContaining('0 tasks, 0 creatives, 0 files'),
  })
})

test('crash: of a backup that is encrypted nothing is ever where the backups are that is not', async () => {
  const [here, backups] = [await place('killed', 'migrated'), path.join(root, 'killed-backups')]
  const dataDir = here.ATELIER_DATA_DIR ?? ''
  await mkdir(path.join(dataDir, 'files'), { recursive: true })
  const [, recipient = ''] = /--encrypt-for (age1\S+)/.exec(
    (await command(here, 'backup', '--new-key', path.join(root, 'killed-key'))).said,
  ) ?? ['', '']
  // A program `tar` that says that it was started, in a file, and then does nothing until its caller ends.
  const [bin, started] = [path.join(root, 'bin'), path.join(root, 'tar-started')]
  await mkdir(bin)
  await writeFile(path.join(bin, 'tar'), `#!/bin/sh\n: > '${started}'\nexec tail -f /dev/null --pid=$PPID\n`, {
    mode: 0o700,
  })
  const child = startChild('server/src/main.ts', ['backup', '--to', backups, '--encrypt-for', recipient], {
    ...{ ...here, PATH: `${bin}:${process.env.PATH}` },
  })
  await eventually(async () => expect((await stat(started)).isFile()).toBe(true))
  child.kill('SIGKILL')
  await child.ended
  const found = await readdir(backups, { recursive: true, withFileTypes: true })
  expect(found.filter((one) => !one.name.startsWith('.making-') && !one.name.endsWith('.tar.age'))).toEqual([])
  expect(await readdir(dataDir, { recursive: true })).toContainEqual(expect.stringMatching(/^\.making-[^/]+\/backup$/))
  expect(await command(here, 'restore', '--from', backups)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/no backup/),
  })
})
