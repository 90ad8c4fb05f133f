// Facts about commands of the operator: what they do with arguments, and that they say in a sentence what an operator can mend.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'atelier-commands-'))
})
afterEach(killChildren)
afterAll(() => rm(root, { recursive: true, force: true }))

async function command(args: string[], settings: Record<string, string> = {}) {
  const child = startChild('server/src/main.ts', args, { ATELIER_DATA_DIR: path.join(root, 'data'), ...settings })
  const { code } = await child.ended
  return { code, out: child.stdout(), error: child.stderr() }
}

test('every command says by --help what it does and does nothing, and refuses an option that it does not know', async () => {
  const main = await readFile('server/src/main.ts', 'utf8')
  const names = [...main.matchAll(/^ {2}'?([a-z-]+)'?: \{$/gm)].map(([, name = '']) => name)
  expect(names).toContain('serve')
  expect(names).toContain('sign-in')
  const help = /^\w+ [^\n]+\n(?:.*\n)+.* npm (?:run \S|start)/
  for (const name of names) {
    const [helped, refused] = await Promise.all([command([name, '--help']), command([name, '--hlep'])])
    expect({ name, ...helped }).toEqual({ name, code: 0, out: expect.stringMatching(help), error: '' })
    expect(refused).toEqual({ code: 1, out: '', error: expect.stringMatching(/^Unknown option '--hlep'/) })
    expect(refused.error).toContain(helped.out)
  }
  expect(existsSync(path.join(root, 'data'))).toBe(false)
})

test('`seed` writes the token of the owner that it makes to a file, where its output is no terminal', async () => {
  const dataDir = path.join(root, 'seeded')
  const { code, out, error } = await command(['seed'], { ATELIER_DATA_DIR: dataDir })
  const file = path.join(dataDir, 'owner-token')
  expect([code, error]).toEqual([0, ''])
  expect(out).toBe(
    `The owner's token is in the file ${file}: delete the file once you have it.\nThe demo workspace is there.\n`,
  )
  expect(await readFile(file, 'utf8')).toMatch(/^atl_[\w-]{43}\n$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('files are not copied from a folder that is not there', async () => {
  const [from, to] = [path.join(root, 'away'), path.join(root, 'copy')]
  expect(await command(['files', 'copy', '--from', from, '--to', to])).toEqual({
    code: 1,
    out: '',
    error: expect.stringMatching(/^There is no folder of files at \S+away: [^\n]+\n$/),
  })
  expect(existsSync(to)).toBe(false)
})

test('files are not copied to where they are, by whatever name, nor into their own folder', async () => {
  const [from, link] = [path.join(root, 'own'), path.join(root, 'link-to-own')]
  await mkdir(from)
  await symlink(from, link)
  const refused = async (words: RegExp, source: string, to: string) =>
    expect(await command(['files', 'copy', '--from', source, '--to', to])).toEqual({
      ...{ code: 1, out: '', error: expect.stringMatching(words) },
    })
  for (const to of [from, `${from}/`, link, `${link}/../own`]) {
    await refused(/^--to is where the files of --from are \(\S+own\): name another place\.\n$/, from, to)
  }
  for (const to of [path.join(from, 'a/b'), path.join(link, 'a')]) {
    await refused(/^--to is within the folder of --from \(\S+own\): name a place outside of it\.\n$/, from, to)
  }
  await refused(/^--to is where the files of --from are/, 's3://own/a', 's3://own/a/')
  expect(await readdir(from)).toEqual([])
  expect(await command(['files', 'copy', '--from', from, '--to', `${from}-beside`])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^0 files \(0\.0 MB\) are in \S+own-beside; copied now: 0\.\n$/),
  })
})

test('a command that looks at a database, or changes what is in it, makes none where there is none', async () => {
  const dataDir = path.join(root, 'nowhere')
  const [file, ours] = [path.join(root, 'export.csv'), path.join(root, 'broken-off')]
  await writeFile(file, 'time,model,amount\n2026-11-23T12:00:00Z,painter,1\n')
  await mkdir(path.join(ours, 'pg-before-2026-11-24T10-00-00.000Z'), { recursive: true })
  const settings = { ATELIER_DATA_DIR: dataDir, ATELIER_SECRETS_KEY: 'ab'.repeat(32) }
  const commands = [
    ['texts'],
    ['texts', '--repair'],
    ['reconcile', '--provider', 'openai', '--file', file],
    ['roles'],
    ['move', '--to', 'postgres://nobody@127.0.0.1:9/nothing'],
  ]
  for (const args of commands) {
    const error = expect.stringMatching(
      /^There is no embedded database in \S+nowhere \(ATELIER_DATA_DIR\): nothing to [^\n]+\n$/,
    )
    expect({ args, ...(await command(args, settings)) }).toEqual({ args, code: 1, out: '', error })
  }
  // The database is only one of the places in which this command looks for keys.
  expect((await command(['models'], settings)).error).not.toContain('database')
  expect(existsSync(dataDir)).toBe(false)
  // Where a restore was broken off, the databases that it left are named instead.
  expect(await command(['texts'], { ATELIER_DATA_DIR: ours })).toMatchObject({
    code: 1,
    error: expect.stringContaining('but a restore has left'),
  })
})

test('a provider that is none, and days in the wrong order, are said before the ledger is compared', async () => {
  const reconcile = async (...args: string[]) => (await command(['reconcile', '--file', 'export.csv', ...args])).error
  expect(await reconcile('--provider', 'opneai')).toMatch(/^“opneai” is no provider; the ledger has calls of openai, /)
  expect(await reconcile('--provider', 'openai', '--from', '2026-11-30', '--to', '2026-11-01')).toMatch(
    /^--from 2026-11-30 is after --to 2026-11-01\./,
  )
})

test('what is no bucket, and what is no whole backup, is said in a sentence', async () => {
  const refused = async (words: RegExp, ...args: string[]) =>
    expect(await command(args)).toEqual({ code: 1, out: '', error: expect.stringMatching(words) })
  const noBucket = (option: string) =>
    new RegExp(`^${option} must be the path of a folder, or s3://bucket/prefix [^\\n]+\\n$`)
  await refused(/^“cpoy” is not known; say copy\./, 'files', 'cpoy', '--from', root, '--to', root)
  await refused(noBucket('--to'), 'files', 'copy', '--from', root, '--to', 's3://My_Bucket/x')
  await refused(noBucket('--from'), 'files', 'copy', '--from', 's3://My_Bucket/x', '--to', root)
  await refused(noBucket('--from'), 'restore', '--from', 's3://My_Bucket/x')
  await refused(noBucket('--to'), 'backup', '--to', 's3://My_Bucket/x')
  await refused(noBucket('--to'), 'backup', '--to', 's3:/bucket/x')

  const [content, archive] = [path.join(root, 'content'), path.join(root, 'content.tar')]
  await mkdir(content)
  await promisify(execFile)('tar', ['-cf', archive, '-C', content, '.'])
  const noManifest = /^The backup has no whole manifest\.json \([^\n]+\): take another backup\.\n$/
  await refused(noManifest, 'restore', '--from', archive)
  await writeFile(path.join(content, 'manifest.json'), '{"format": 1, "mom')
  await refused(noManifest, 'restore', '--from', content)
})

test('a bucket that does not answer is told before a backup copies anything, and by a restore and a copy', async () => {
  const dataDir = path.join(root, 'unsent')
  await mkdir(path.join(dataDir, 'files'), { recursive: true })
  const settings = {
    ...{ ATELIER_DATA_DIR: dataDir, AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_REGION: 'eu-1' },
    ...{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
  }
  const backups = /^The bucket for backups s3:\/\/nowhere cannot be used: the store did not answer [^\n]+\n$/
  // There is no database: a backup that copied first would say that.
  expect(await command(['backup', '--to', 's3://nowhere'], settings)).toMatchObject({
    code: 1,
    error: expect.stringMatching(backups),
  })
  expect(await command(['restore', '--from', 's3://nowhere'], settings)).toMatchObject({
    code: 1,
    error: expect.stringMatching(backups),
  })
  expect(await command(['files', 'copy', '--from', 's3://nowhere', '--to', root], settings)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^The bucket s3:\/\/nowhere\/ cannot be read: the store did not answer [^\n]+\n$/),
  })
})

test('`move` says of a --to that is no address, or that cannot be used, that it is --to', async () => {
  const dataDir = path.join(root, 'moved')
  const moved = (to: string) => command(['move', '--to', to], { ATELIER_DATA_DIR: dataDir })
  expect(await moved('bad')).toEqual({
    code: 1,
    out: '',
    error: expect.stringMatching(/^--to must be a URL that starts/),
  })
  expect(await command(['seed'], { ATELIER_DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  // A certificate that is not there is told at once; a server that is not there would be waited for, for a minute.
  expect(await moved('postgres://127.0.0.1:1/atelier?sslmode=verify-full&sslrootcert=/away/root.crt')).toEqual({
    code: 1,
    out: '',
    error: expect.stringMatching(
      /^The PostgreSQL database cannot be used: ENOENT[^\n]*\/away\/root\.crt[^\n]* \(--to\)[^\n]*\n$/,
    ),
  })
})
