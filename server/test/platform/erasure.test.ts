// Facts about removing a person's data by the statements in docs/operating.md: they run, nothing of the person can be read any more,
// and what the person did stays.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'

const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
const [, statements = ''] = /## A person's data[\s\S]*?```sql\n([\s\S]*?)```/.exec(page) ?? []

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The tables in which a row contains the text, in whichever column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await service.rows(`select 1 from ${name} t where t::text ilike $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('the statements for a person who asks for erasure leave nothing of the person but ids, and what the person did', async () => {
  const { rows } = service
  const { id, token } = await service.person('writer')
  const said = ['Erika Gone', 'gone@example.org', 'https://example.org/gone.png']
  await service.patch(`/api/v1/users/${id}`, { name: said[0], email: said[1] })
  await rows('update users set image_url = $2 where id = $1', [id, said[2]])
  await rows(
    `insert into identities (issuer, subject, user_id, said_name, said_email, said_image_url)
     values ('https://issuer.example', 'sub-1', $1, $2, $3, $4)`,
    [id, ...said],
  )
  await rows(
    `insert into directory_users (provider_id, user_id, name, email, image_url, changed_at, changed_key, known)
     values ('sub-1', $1, $2, $3, $4, 5, $5, true)`,
    [id, ...said, JSON.stringify(said)],
  )
  await rows(`update tokens set name = 'of Erika Gone' where user_id = $1`, [id])
  await rows(`insert into chat_addresses (user_id, service, url) values ($1, 'slack', 'https://example.org/gone')`, [
    id,
  ])
  await rows(`insert into notice_settings (user_id) values ($1)`, [id])
  await rows(`insert into messages (id, user_id, channel, said) values ($1, $1, 'mail', 'gone@example.org: ok')`, [id])
  await rows(`insert into notices (id, user_id, kind, place) values ($1, $1, 'mention', 'x')`, [id])
  await rows(
    `insert into sessions (id, hash, user_id, expires_at) values ($1, '\\x01', $1, now() + interval '1 day')`,
    [id],
  )
  await rows(`insert into sign_in_links (hash, user_id, expires_at) values ('\\x01', $1, now() + interval '1 day')`, [
    id,
  ])
  const task = await service.post('/api/v1/tasks', { name: 'A task', assignee_id: id }, { token })
  expect(task.status).toBe(200)
  expect(await tablesWith('gone')).toEqual(
    expect.arrayContaining(['chat_addresses', 'directory_users', 'identities', 'messages', 'tokens', 'users']),
  )

  const left = await service.patch(`/api/v1/users/${id}`, { active: false, name: null, email: null })
  expect(left.data).toMatchObject({ active: false, name: null, email: null })
  expect(statements).toMatch(/^begin;\n/)
  await service.database.script(statements.replaceAll(":'person'", `'${id}'`))

  expect(await tablesWith('gone')).toEqual([])
  const kept = await rows(`select kind, by_user from activity where task_id = $1 limit 1`, [task.data.id])
  expect(kept).toMatchObject([{ by_user: id }])
  for (const table of ['sessions', 'sign_in_links', 'notices', 'notice_settings'])
    expect(await rows(`select from ${table} where user_id = $1`, [id]), table).toEqual([])
  expect((await service.get('/api/v1/users/me', { token })).status).toBe(401)
  // A message of the provider that is sent again has the time and the profile that it had.
  const [{ isNewer }] = await rows(
    `select (changed_at, changed_key collate "C") < (5::bigint, $1 collate "C") as "isNewer" from directory_users`,
    [JSON.stringify(said)],
  )
  expect(isNewer).toBe(false)
})
