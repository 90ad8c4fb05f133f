// Facts about starts on one PostgreSQL: several processes that start at once, and servers that refuse the connection.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OperatorFile } from '../../src/commands/operator-file.ts'
import { killChildren, startChild } from '../support/child.ts'
import { createDatabase } from '../support/harness.ts'
import { startServing } from '../support/serving.ts'

let folder: string
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-start-'))
  ;({ url, drop } = await createDatabase())
})
afterEach(killChildren)
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const migrateWith = async (address: string) => {
  const child = startChild('server/src/main.ts', ['migrate'], { DATABASE_URL: address, ATELIER_DATA_DIR: folder })
  const { code } = await child.ended
  return { code, said: child.stderr() }
}

test('processes that start at once on an empty database all serve it, and one of them prints the token', async () => {
  const settings = { DATABASE_URL: url, ATELIER_DATA_DIR: folder }
  const [one, other] = await Promise.all([startServing(settings), startServing(settings)])
  const tokens = [one.access, other.access].filter((access) => access.startsWith('atl_'))
  expect(tokens).toHaveLength(1)

  // Both processes share the folder: `operator.json` has the token of the one that started last, and stays until that one ends.
  const file = path.join(folder, 'operator.json')
  const { token }: OperatorFile = JSON.parse(readFileSync(file, 'utf8'))
  let isThere = true
  for (const { url: address, kill, ended } of [one, other]) {
    const whose = await fetch(`${address}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
    kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null })
    if (whose.status === 200) isThere = false
    expect(existsSync(file)).toBe(isThere)
  }
  expect(isThere).toBe(false)
})

test('a server that refuses us is told in a sentence, without the password', async () => {
  const address = new URL(url)
  address.password = 'hunter2'
  const { code, said } = await migrateWith(address.href)
  expect(code).toBe(1)
  expect(said).toMatch(/^The PostgreSQL database cannot be used: [^\n]*password authentication failed[^\n]*\n$/)
  expect(said).not.toContain('hunter2')
})

test('a role that may not make tables is told so in a sentence, and so is one that only reads', async () => {
  const empty = await createDatabase()
  const admin = new pg.Client(empty.url)
  await admin.connect()
  const name = `limited_${randomBytes(6).toString('hex')}`
  await admin.query(`create role ${name} login password 'secret'`)
  const address = Object.assign(new URL(empty.url), { username: name, password: 'secret' }).href
  expect(await migrateWith(address)).toEqual({
    code: 1,
    said: expect.stringMatching(/^The role of DATABASE_URL may not change the schema: permission denied [^\n]*\n$/),
  })
  await admin.query(`alter role ${name} set default_transaction_read_only = on`)
  expect(await migrateWith(address)).toEqual({
    code: 1,
    said: expect.stringMatching(new RegExp(`^Transactions of the role ${name} only read [^\\n]*\\n$`)),
  })
  await admin.query(`drop role ${name}`)
  await admin.end()
  await empty.drop()
})

test('a database that a newer version has changed is refused in a sentence', async () => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`insert into schema_migrations (number, name, checksum) values (9999, 'from_the_future', 'x')`)
  await client.end()
  const { code, said } = await migrateWith(url)
  expect(code).toBe(1)
  expect(said).toMatch(
    /^The database has migration 9999 \(from_the_future\) of a version that is not released, and Atelier [^\n]*\n$/,
  )
})
