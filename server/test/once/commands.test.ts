// Facts about commands of the operator: what they do with arguments, and that they say in a sentence what an operator can mend.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
