// Facts about an installation that stored memberships without their organization (version 466aede): its users keep their roles
// until a message names the organization, nobody gains a role meanwhile, and `roles` lists who would change.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readEvent } from '../../src/features/webhooks/events.ts'
import { alignAtStart, choiceWords } from '../../src/features/webhooks/organization.ts'
import { applyEvent, claimMessage } from '../../src/features/webhooks/store.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { readMigrations } from '../../src/platform/migration-files.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'
import { type Body, createDatabase, engine, rowsOf } from '../support/harness.ts'
import { memberMessage, ourOrganization, userDeletedMessage, userMessage } from '../support/provider.ts'

const log = createLog('silent')
let folder: string
let settings: Record<string, string>
let database: Database
const drops: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-roles-'))
  settings = { ATELIER_DATA_DIR: path.join(folder, 'data') }
  if (engine === 'postgres') {
    const created = await createDatabase()
    settings = { ...settings, DATABASE_URL: created.url }
    drops.push(created.drop)
    database = await open()
  } else {
    const snapshot = await migratedSnapshot()
    database = openDatabase(await embeddedEngine(settings.ATELIER_DATA_DIR ?? '', { snapshot }))
    await database.script('drop schema public cascade; create schema public')
  }
  await migrate(database, readMigrations().slice(0, 7))
  await fill()
  await migrate(database)
  await database.script(
    `create schema filled; ${tables.map((name) => `create table filled.${name} as table ${name}`).join(';')}`,
  )
})
beforeEach(() =>
  database.script(
    [
      ...tables.toReversed().map((name) => `delete from ${name}`),
      ...tables.map((name) => `insert into ${name} select * from filled.${name}`),
    ].join(';'),
  ),
)
afterEach(killChildren)
afterAll(async () => {
  await database.close()
  for (const drop of drops) await drop()
  await rm(folder, { recursive: true, force: true })
})

/** The tables that a test may change; referenced tables come before the tables that refer to them. */
const tables = [
  'users',
  'identities',
  'directory_users',
  'directory_memberships',
  'directory_organization',
  'webhook_messages',
]

const open = async () =>
  openDatabase(
    settings.DATABASE_URL
      ? postgresEngine(settings.DATABASE_URL, { connections: 4, log })
      : await embeddedEngine(settings.ATELIER_DATA_DIR ?? ''),
  )

type Kept = {
  role: string
  active?: boolean
  deleted?: boolean
  byHand?: boolean
  memberships: [id: string, role: string, deleted: boolean][]
}

/** Users as version 466aede left them: it recognized roles by parts of words, and counted memberships of any organization. */
const people: Record<string, Kept> = {
  member: { role: 'writer', memberships: [['m_member', 'writer', false]] },
  accident: { role: 'admin', memberships: [['m_accident', 'admin', false]] },
  two: {
    role: 'admin',
    memberships: [
      ['m_two', 'reader', false],
      ['own_two', 'admin', false],
    ],
  },
  stranger: { role: 'admin', memberships: [['own_stranger', 'admin', false]] },
  left: { role: 'writer', active: false, memberships: [['m_left', 'writer', true]] },
  barred: { role: 'writer', active: false, memberships: [['m_barred', 'writer', false]] },
  readmitted: { role: 'writer', active: true, memberships: [['m_readmitted', 'writer', true]] },
  chosen: { role: 'admin', byHand: true, memberships: [['m_chosen', 'reader', false]] },
  guest: { role: 'reader', memberships: [] },
  gone: { role: 'reader', active: false, deleted: true, memberships: [] },
}

async function fill(): Promise<void> {
  const rows = rowsOf(database)
  await rows(`insert into users (id, name, role) values ($1, 'Owner', 'admin')`, [uuidv7()])
  await rows(`insert into users (id, name, role, active) values ($1, 'By hand', 'writer', false)`, [uuidv7()])
  for (const [name, { role, active = true, deleted = false, byHand = false, memberships }] of Object.entries(people)) {
    const id = uuidv7()
    await rows('insert into users (id, name, role, active, role_by_hand) values ($1, $2, $3, $4, $5)', [
      id,
      name,
      role,
      active,
      byHand,
    ])
    await rows(
      `insert into directory_users (provider_id, user_id, name, changed_at, changed_key, known, deleted)
       values ($1, $2, $1, 1, 'x', true, $3)`,
      [name, id, deleted],
    )
    for (const [membership, given, ended] of memberships) {
      await rows(
        'insert into directory_memberships (membership_id, provider_id, role, changed_at, deleted) values ($1, $2, $3, 5, $4)',
        [...[membership, name, given, ended]],
      )
    }
  }
  // Two people with two users each: an access token created the first, and later the webhook created the second. One of the
  // second users is inactive.
  for (const [subject, active] of [
    ['twice', true],
    ['barred twice', false],
  ] as const) {
    const [met, told] = [uuidv7(), uuidv7()]
    await rows(`insert into users (id, name, role) values ($1, $2, 'reader')`, [met, subject])
    await rows(`insert into identities (issuer, subject, user_id) values ('https://issuer.example', $1, $2)`, [
      subject,
      met,
    ])
    await rows(`insert into users (id, name, role, active) values ($1, $2, 'admin', $3)`, [
      told,
      `${subject}, told`,
      active,
    ])
    await rows(
      `insert into directory_users (provider_id, user_id, name, changed_at, changed_key, known) values ($1, $2, $1, 1, 'x', true)`,
      [subject, told],
    )
    await rows(
      `insert into directory_memberships (membership_id, provider_id, role, changed_at) values ($1, $2, 'admin', 5)`,
      [`m_${subject}`, subject],
    )
  }
  await rows(`insert into webhook_messages (id) values ('msg_before')`)
}

const states = async (): Promise<Record<string, string>> => {
  const found = await rowsOf(database)(
    `select name, role || case when active then '' else ', out' end as state from users`,
  )
  return Object.fromEntries(found.map(({ name, state }: Body) => [name, state]))
}
const before = {
  ...Object.fromEntries(
    Object.entries(people).map(([name, { role, active = true }]) => [name, active ? role : `${role}, out`]),
  ),
  Owner: 'admin',
  twice: 'reader',
  'twice, told': 'admin, out',
  'barred twice': 'reader, out',
  'barred twice, told': 'admin, out',
  'By hand': 'writer, out',
}
const set = { ATELIER_ORGANIZATION: ourOrganization }
const start = (environment: Record<string, string> = {}) => alignAtStart(database, readConfig(environment), log)
const tell = (environment: Record<string, string>, message: unknown) =>
  database.tx((tx) => applyEvent(tx, readEvent(message, Date.now()), readConfig(environment)))

test.each([
  ['without an organization set', {}],
  ['with one', set],
])('the first start %s changes nobody', async (_how, environment) => {
  await start(environment)
  expect(await states()).toEqual(before)
})

test('the start says what to set while no message has named an organization', async () => {
  expect(choiceWords(await start())).toBe(
    'roles stay as they are, and memberships give none, until ATELIER_ORGANIZATION is set ' +
      '(members of an organization that was not kept: 8)',
  )
})

test('without an organization set nobody gains a role, and whoever leaves is out', async () => {
  await start()
  await tell({}, memberMessage('m_member', 'member', 'org:admin', 6, { kind: 'updated' }))
  await tell({}, memberMessage('m_guest', 'guest', 'org:admin', 6))
  await tell({}, memberMessage('m_accident', 'accident', 'org:product_owner', 6, { kind: 'deleted' }))
  await tell({}, userMessage('barred', 9, 'barred'))
  expect(await states()).toMatchObject({ member: 'writer', guest: 'reader', accident: 'admin, out' })
  // One organization is known, but not for every membership, so it is not assumed to be the installation's own.
  expect(await start()).toMatchObject({ by: 'nobody', organization: null })
})

describe('with the organization set', () => {
  beforeEach(() => start(set))

  test('a message that names it gives the role of the exact word; one that names another takes what it gave', async () => {
    await tell(set, memberMessage('m_accident', 'accident', 'org:product_owner', 5, { kind: 'updated' }))
    await tell(set, memberMessage('own_stranger', 'stranger', 'org:admin', 5, { organization: 'org_own' }))
    await tell(set, memberMessage('m_two', 'two', 'org:guest', 5))
    await tell(set, memberMessage('m_chosen', 'chosen', 'org:guest', 5))
    await tell(set, memberMessage('m_member', 'member', 'org:member', 5))
    expect(await states()).toEqual({ ...before, accident: 'reader', stranger: 'reader', two: 'reader' })
  })

  test('whoever is removed from it is out, whatever else they are a member of', async () => {
    await tell(set, memberMessage('m_two', 'two', 'org:guest', 5, { kind: 'deleted' }))
    expect(await states()).toMatchObject({ two: 'reader, out' })
  })

  test('what an admin had decided before is not undone: not by a profile, a membership, a leaving', async () => {
    await tell(set, userMessage('barred', 9))
    await tell(set, memberMessage('m_barred', 'barred', 'org:admin', 9, { kind: 'updated' }))
    await tell(set, memberMessage('m_readmitted', 'readmitted', 'org:member', 5, { kind: 'deleted', timestamp: 5 }))
    const found = await rowsOf(database)(
      'select name, role, active from users where role_by_hand or active_by_hand is not null',
    )
    expect(found).toContainEqual({ name: 'Ada Lovelace', role: 'admin', active: false })
    expect(found).toContainEqual({ name: 'readmitted', role: 'reader', active: true })
  })

  test('whoever had left comes back with a new membership, whoever was deleted does not', async () => {
    await tell(set, memberMessage('n_left', 'left', 'org:member', 9))
    await tell(set, memberMessage('n_gone', 'gone', 'org:member', 9))
    expect(await states()).toMatchObject({ left: 'writer', gone: 'writer, out' })
  })

  test('somebody who was there twice is one person, whom the next message gives the role', async () => {
    await tell(set, memberMessage('m_twice', 'twice', 'org:member', 5))
    expect(await states()).toMatchObject({
      twice: 'writer',
      'twice, told': 'admin, out',
      'barred twice': 'reader, out',
    })
  })

  test('messages of the last days that the provider sends again are heard', async () => {
    expect(await database.tx((tx) => claimMessage(tx, 'msg_before'))).toBe(true)
  })
})

test('`roles` lists who would change under other settings, and changes nobody', async () => {
  await tell({}, memberMessage('m_accident', 'accident', 'org:product_owner', 6))
  await tell({}, memberMessage('own_stranger', 'stranger', 'org:admin', 6, { organization: 'org_own' }))
  await tell({}, userDeletedMessage('nobody'))
  await database.close()
  const { code, out } = await roles(set)
  const [unset, wrong] = [await roles({}), await roles({}, '--what')]
  database = await open()
  expect(code).toBe(0)
  expect(out).toContain(`memberships of ${ourOrganization} count, as ATELIER_ORGANIZATION says`)
  expect(out).toContain('org_own  members now: 1')
  expect(out).toMatch(/Would change \(2\):\n( {2}admin → reader {2}(accident|stranger) {2}[\w-]{36}\n){2}/)
  expect(out).toContain('Words without a role in ATELIER_ROLES: “org:product_owner”')
  expect(unset.out).toContain('Nobody would change.')
  expect(unset.out).toContain('until ATELIER_ORGANIZATION is set')
  expect(wrong).toMatchObject({ code: 1, error: expect.stringMatching(/^Unknown option '--what'/) })
  expect(await states()).toEqual(before)
})

async function roles(environment: Record<string, string>, ...args: string[]) {
  const child = startChild('server/src/main.ts', ['roles', ...args], { ...settings, ...environment })
  const { code } = await child.ended
  return { code, out: child.stdout(), error: child.stderr() }
}
