// Facts about which records refer to files, and when unused files are removed.

import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'
import { mostRowsAtOnce } from '../support/transactions.ts'

let service: Service
let make: ReturnType<typeof makers>
let task: Body
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  task = await make.task()
})
afterAll(() => service.close())
beforeEach(() => service.rows('delete from loose_files'))

const unknown = 'f'.repeat(64)
const folder = () => service.config.files ?? ''
const placeOf = (digest: string) => path.join(folder(), digest.slice(0, 2), digest.slice(2, 4))
const bytesOf = (digest: string) => readdir(placeOf(digest))
const status = async (digest: string) => (await service.get(`/api/v1/files/${digest}`)).status
const purge = () => service.app.services.files.purge()

/** Simulates that hours pass: moves back the times since which files are unused, and stored bytes may lack a row in `files`. */
const pass = async (hours: number) => {
  await service.rows('update files set unused_since = unused_since - make_interval(hours => $1)', [hours])
  await service.rows('update loose_files set loose_since = loose_since - make_interval(hours => $1)', [hours])
}

test('a creative with a file is done', async () => {
  const file = await make.file()
  const made = await make.creative(task.id, { file })
  expect([made.file, made.done]).toEqual([file, true])
  const given = await make.creative(task.id)
  expect(given.done).toBe(false)
  const { data } = await service.patch(`/api/v1/creatives/${given.id}`, { file })
  expect([data.file, data.done]).toEqual([file, true])
})

test('a creative cannot have a file that was not uploaded', async () => {
  const creative = await make.creative(task.id)
  const asked = [
    await service.post(`/api/v1/tasks/${task.id}/creatives`, { file: unknown }),
    await service.patch(`/api/v1/creatives/${creative.id}`, { file: unknown, assignee_id: 'nobody' }),
  ]
  expect(asked.map(faults)).toEqual([
    ['value_error body.file'],
    ['value_error body.assignee_id', 'value_error body.file'],
  ])
  expect(asked[0]?.body.detail[0]).toMatchObject({
    msg: 'Value error, there is no file with this digest; upload it first',
    input: unknown,
  })
})

test('a file that nothing refers to goes after 48 hours, row and bytes', async () => {
  const digest = await make.file('of no use')
  await pass(47)
  await purge()
  expect(await status(digest)).toBe(200)
  await pass(2)
  await purge()
  expect(refusal(await service.get(`/api/v1/files/${digest}`))).toEqual([404, 'not_found'])
  expect(await bytesOf(digest)).toEqual([digest])
  await pass(2)
  await purge()
  expect(await bytesOf(digest)).toEqual([])
  expect(await service.rows('select * from loose_files')).toEqual([])
})

test('a file that a creative has or had stays, deleted or not, and its grace begins when the creative is purged', async () => {
  const digest = await make.file('of use')
  const creative = await make.creative(task.id, { file: digest })
  const outlive = async () => {
    await pass(100)
    await purge()
    return status(digest)
  }
  expect(await outlive()).toBe(200)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  expect(await outlive()).toBe(200)
  await make.restored(`/api/v1/creatives/${creative.id}`)
  await service.patch(`/api/v1/creatives/${creative.id}`, { file: null })
  expect(await outlive()).toBe(200)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await purgeAtOnce(service)
  await purge()
  await pass(47)
  await purge()
  expect(await status(digest)).toBe(200)
  expect(await outlive()).toBe(404)
})

test('uploading a file again begins its grace anew', async () => {
  const digest = await make.file('again')
  await pass(47)
  await make.file('again')
  await pass(2)
  await purge()
  expect(await status(digest)).toBe(200)
})

test('a file that is uploaded again between the purge of its row and that of its bytes stays', async () => {
  const digest = await make.file('back in time')
  await pass(49)
  await purge()
  expect(await status(digest)).toBe(404)
  await make.file('back in time')
  await pass(2)
  await purge()
  expect((await service.get(`/api/v1/files/${digest}`)).text).toBe('back in time')
})

test('a purge and creatives that come to refer to the same file leave no creative without it', async () => {
  const digests: string[] = []
  for (let each = 0; each < 20; each++) digests.push(await make.file(`contested ${each}`))
  await pass(49)
  const answers = await Promise.all([
    ...digests.map((file) => service.post(`/api/v1/tasks/${task.id}/creatives`, { file })),
    ...Array.from({ length: 4 }, purge),
  ])
  const outcomes = answers.slice(0, digests.length).map((answer) => answer?.status ?? 0)
  await pass(2)
  await purge()
  for (const [each, digest] of digests.entries()) {
    expect([200, 422]).toContain(outcomes[each])
    expect(await status(digest)).toBe(outcomes[each] === 200 ? 200 : 404)
    expect(await bytesOf(digest)).toHaveLength(outcomes[each] === 200 ? 1 : 0)
  }
})

test('a purge and uploads of the same bytes leave a file that can be read', async () => {
  for (let round = 0; round < 10; round++) {
    const digest = await make.file('up and down')
    await pass(49)
    await purge()
    await pass(2)
    await Promise.all([purge(), make.file('up and down'), purge(), make.file('up and down')])
    await pass(2)
    await purge()
    expect((await service.get(`/api/v1/files/${digest}`)).text).toBe('up and down')
  }
})

test('the database does not let a file go that a creative has', async () => {
  const file = await make.file('held')
  await make.creative(task.id, { file })
  await expect(service.rows('delete from files where digest = $1', [file])).rejects.toThrow('creatives_file_fkey')
})

test('bytes of an upload that died before its row was written are removed', async () => {
  const digest = 'e'.repeat(64)
  await mkdir(placeOf(digest), { recursive: true })
  await writeFile(path.join(placeOf(digest), digest), 'left behind')
  await service.rows('insert into loose_files (digest) values ($1)', [digest])
  await purge()
  expect(await bytesOf(digest)).toEqual([digest])
  await pass(2)
  await purge()
  expect(await bytesOf(digest)).toEqual([])
})

test('bytes of a file that is there stay, though an upload of them died', async () => {
  const digest = await make.file('uploaded before')
  await service.rows('insert into loose_files (digest) values ($1)', [digest])
  await pass(2)
  await purge()
  expect((await service.get(`/api/v1/files/${digest}`)).text).toBe('uploaded before')
  expect(await service.rows('select * from loose_files')).toEqual([])
})

test('bytes that the database knows nothing of are left alone', async () => {
  const digest = 'd'.repeat(64)
  await mkdir(placeOf(digest), { recursive: true })
  await writeFile(path.join(placeOf(digest), digest), 'of another database')
  await utimes(path.join(placeOf(digest), digest), 0, 0)
  await purge()
  expect(await bytesOf(digest)).toEqual([digest])
})

test('a purge marks all files that nothing refers to, and each of its transactions writes few', async () => {
  await service.database.script(`
    insert into files (digest, size, media_type, unused_since)
    select encode(sha256(i::text::bytea), 'hex'), 1, 'image/png', case when i % 10 = 0 then now_ms() end
    from generate_series(1, 6000) as i;
    insert into file_uses (digest, used_by, user_key)
    select encode(sha256(i::text::bytea), 'hex'), 'test', 'many files' from generate_series(1, 1000) as i`)
  const most = await mostRowsAtOnce(service, { table: 'files', event: 'update' }, purge)
  const wrong = await service.rows(`
    select digest from files
    where (unused_since is null) <> exists (select from file_uses u where u.digest = files.digest) and media_type = 'image/png'`)
  await service.database.script(`
    delete from file_uses where used_by = 'test'; delete from files where media_type = 'image/png'`)
  expect(wrong).toEqual([])
  expect(most).toBeLessThanOrEqual(2000)
})

test('what a dead process was receiving is removed after an hour, what is arriving is not', async () => {
  const incoming = path.join(folder(), 'incoming')
  const now = Date.now() / 1000
  for (const [name, age] of [
    ['dead', 7200],
    ['alive', 1800],
  ] as const) {
    await writeFile(path.join(incoming, name), 'part of a file')
    await utimes(path.join(incoming, name), now - age, now - age)
  }
  await purge()
  expect(await readdir(incoming)).toEqual(['alive'])
})

test('a folder that cannot be written is told as that, and the start refuses it', async () => {
  const broken = await startService({ ATELIER_FILES: path.join(folder(), 'nowhere') })
  await symlink('nothing/here', path.join(folder(), 'nowhere'))
  const answer = await broken.ask('POST', '/api/v1/files', { raw: 'x', headers: { 'content-type': 'text/plain' } })
  expect(refusal(answer)).toEqual([503, 'files_unavailable'])
  expect(answer.headers['retry-after']).toBe('5')
  await expect(broken.app.services.files.prepare()).rejects.toThrow('ATELIER_FILES')
  await rm(path.join(folder(), 'nowhere'))
  await broken.close()
})
