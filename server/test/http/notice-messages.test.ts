// Facts about notices sent outside the app, with a real mail server: what is sent, to whom, when and how often, and how failures
// are reported.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createChat } from '../../src/features/notices/chat.ts'
import { sealChats, setChat } from '../../src/features/notices/chat-addresses.ts'
import { forgetOldDeliveries } from '../../src/features/notices/deliver.ts'
import { putOff, readGroups } from '../../src/features/notices/outbox.ts'
import { createSealing } from '../../src/platform/sealing.ts'
import type { Body, Service } from '../support/harness.ts'
import type { MailServer } from '../support/mail-server.ts'
import { makers } from '../support/make.ts'
import { forgetMessages, messagesOn, origin, type Person, startWithMail } from '../support/messages.ts'
import { json, startOutside } from '../support/outside.ts'
import { purgeAtOnce } from '../support/purging.ts'

/** The current sealing key of these tests, and a former key that can still open older values. */
const [now, former] = [Buffer.alloc(32, 'now'), Buffer.alloc(32, 'former')]

let service: Service
let make: ReturnType<typeof makers>
let server: MailServer
let someone: ReturnType<typeof messagesOn>['someone']
let mention: ReturnType<typeof messagesOn>['mention']
let deliver: ReturnType<typeof messagesOn>['deliver']
let later: ReturnType<typeof messagesOn>['later']
let messagesOf: ReturnType<typeof messagesOn>['messagesOf']
let sendingWith: ReturnType<typeof messagesOn>['sendingWith']
let close: () => Promise<void>

beforeAll(async () => {
  ;({ service, server, close } = await startWithMail({
    ATELIER_SECRETS_KEY: `${now.toString('hex')},${former.toString('hex')}`,
  }))
  make = makers(service)
  ;({ someone, mention, deliver, later, messagesOf, sendingWith } = messagesOn(service))
})
afterAll(() => close())
afterEach(() => forgetMessages(service, server))

const set = async (person: Person, body: object, status = 200): Promise<Body> => {
  const answer = await service.patch('/api/v1/notices/settings', body, { token: person.token })
  expect(answer.status, answer.text).toBe(status)
  return answer.data ?? answer.body
}
const plain = (raw: string): string => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')

describe('a mail', () => {
  test('says what happened, leads there and to the settings, over TLS and with the password', async () => {
    const ada = await someone()
    const task = await mention(ada, 'is it <b>too long</b>?')
    await deliver()
    const [mail, ...others] = server.received
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: [ada.email], isSecure: true, user: 'ada' })
    const raw = plain(mail?.raw ?? '')
    expect(raw).toContain(`${origin}/tasks/${task.id}#comments`)
    expect(raw).toContain(`List-Unsubscribe: <${origin}/notices/settings>`)
    expect(raw).toContain('is it &lt;b&gt;too long')
    expect(mail?.id).toMatch(/^<[0-9a-f-]{36}@atelier\.example>$/)
    expect(await messagesOf(ada)).toMatchObject([{ outcome: 'sent', said: expect.stringContaining('2.0.0 Taken') }])
    await deliver()
    expect(server.received).toHaveLength(1)
  })

  test('about changes that are wanted says why', async () => {
    const ada = await someone()
    const task = await make.task({ assignee_id: ada.id })
    const file = await make.file('a picture', 'image/png')
    const { id } = await make.creative(task.id, { file })
    const wanted = { file, decision: 'changes_wanted', note: 'The logo is cut off' }
    await service.post(`/api/v1/creatives/${id}/decisions`, wanted)
    await deliver()
    const raw = plain(server.received[0]?.raw ?? '')
    expect(raw).toContain('> The logo is cut off')
    expect(raw).toContain(`${origin}/tasks/${task.id}#creatives/${id}`)
  })

  test('is one for all that came meanwhile, and the next comes a minute later', async () => {
    const ada = await someone()
    for (let at = 0; at < 3; at++) await mention(ada)
    await deliver()
    expect(plain(server.received[0]?.raw ?? '')).toMatch(/^Subject: .*3[ _]notices/m)
    await mention(ada)
    await deliver()
    expect(server.received).toHaveLength(1)
    await service.rows(`update messages set made_at = made_at - interval '1 minute' where user_id = $1`, [ada.id])
    await later()
    await deliver()
    expect(server.received).toHaveLength(2)
  })

  test('is not sent of what was read or deleted before, nor to who is no longer active', async () => {
    const [ada, bob, eve] = [await someone(), await someone(), await someone()]
    await mention(ada)
    await service.post('/api/v1/notices/read', {}, { token: ada.token })
    const task = await mention(bob)
    await make.deleted(`/api/v1/tasks/${task.id}`)
    await mention(eve)
    await service.patch(`/api/v1/users/${eve.id}`, { active: false })
    await deliver()
    expect(server.received).toEqual([])
    for (const person of [ada, bob, eve]) expect(await messagesOf(person)).toMatchObject([{ outcome: 'unneeded' }])
    expect(await service.rows('select 1 from deliveries')).toEqual([])
  })

  test('cannot be given headers or recipients by names and texts', async () => {
    const ada = await someone('Ada, X. "Y" <z@example.org>.')
    await service.rows(`update users set name = $2 where id = $1`, [
      ada.id,
      'Ada\r\nBcc: all@example.org, <eve@example.org>',
    ])
    const { id } = await make.task({ name: 'Hooks' })
    await service.rows(`update tasks set name = $2 where id = $1`, [id, 'x\r\nBcc: all@example.org\r\n\r\nHello'])
    const by = await service.person('writer')
    await service.post(
      `/api/v1/tasks/${id}/comments`,
      { text: `@Ada\r\nBcc: all@example.org, <eve@example.org> x` },
      by,
    )
    await service.rows(
      `insert into notices (id, user_id, kind, place, task_id) values (gen_random_uuid(), $1, 'review_asked', 'x', $2)`,
      [ada.id, id],
    )
    await service.rows(`insert into deliveries (id, notice_id, user_id, channel)
      select gen_random_uuid(), id, user_id, 'mail' from notices where place = 'x'`)
    await deliver()
    expect(server.received.map(({ to }) => to)).toEqual([[ada.email]])
    const [head = ''] = server.received[0]?.raw.split('\r\n\r\n') ?? []
    expect(head).not.toMatch(/^(?:Bcc|Cc):/im)
  })

  test('says the names of its receiver and of others without characters that turn the writing around', async () => {
    await mention(await someone('Ada \u202edetrevni'), '\u2067so')
    await deliver()
    const [head = '', ...parts] = plain(server.received[0]?.raw ?? '').split('\r\n\r\n')
    expect(head).toMatch(/^To: "?Ada {1,2}detrevni"? <p\d+@example\.org>/m)
    // In the subject and the texts, these characters would be encoded as these bytes.
    expect(head + parts.join()).not.toMatch(/=E2=(?:80=AE|81=A7)/i)
  })
})

test('a mail that is never answered keeps no other waiting, and no transaction is open meanwhile', async () => {
  for (const person of [await someone(), await someone()]) await mention(person)
  server.turns.push('hang')
  const arrived = new Promise<void>((resolve) => {
    server.onMail = () => resolve()
  })
  const delivered = deliver()
  await arrived
  // The embedded database has one connection, so an open transaction would block this request.
  expect((await make.task({ name: 'Meanwhile' })).name).toBe('Meanwhile')
  server.hangUp()
  await delivered
  expect(server.received).toHaveLength(1)
  const outcomes = await service.rows('select outcome from messages order by outcome nulls first')
  expect(outcomes).toEqual([{ outcome: null }, { outcome: 'sent' }])
})

describe('many', () => {
  test('300 notices for one person are one mail', async () => {
    const ada = await someone()
    const task = await make.task({ name: 'Many' })
    await service.rows(
      `with made as (insert into notices (id, user_id, kind, place, task_id)
        select gen_random_uuid(), $1, 'review_asked', 'many/' || i, $2 from generate_series(1, 300) i returning id)
      insert into deliveries (id, notice_id, user_id, channel) select gen_random_uuid(), id, $1, 'mail' from made`,
      [ada.id, task.id],
    )
    await deliver()
    const [mail, ...others] = server.received
    expect(others).toEqual([])
    expect(mail?.raw.length).toBeLessThan(50_000)
    expect(plain(mail?.raw ?? '')).toContain('and 280 more')
    expect(await service.rows('select 1 from deliveries')).toEqual([])
  })

  test('people each get theirs once from two processes that send at the same time', async () => {
    const people: Person[] = []
    for (let at = 0; at < 6; at++) people.push(await someone())
    const { id } = await make.task()
    await make.comment(id, people.map(({ name }) => `@${name}`).join(' '))
    const other = await service.another()
    await Promise.all([deliver(), deliver(sendingWith({ database: other.database })), deliver()])
    expect(server.received.map(({ to: [to] }) => to).toSorted()).toEqual(people.map(({ email }) => email).toSorted())
    await other.app.stop()
  })
})

describe('settings', () => {
  test('say which kinds go where; the app always has them', async () => {
    const ada = await someone()
    const before = (await service.get('/api/v1/notices/settings', ada)).data
    expect(before).toMatchObject({
      ...{ mail: { is_set_up: true, address: ada.email }, chat: null, workspace_chat: null, chat_kinds: [] },
      ...{ digest: 'at_once', quiet: null, time_zone: 'UTC' },
    })
    expect(before.mail_kinds).toContain('mentioned')
    await mention(ada)
    expect((await set(ada, { mail_kinds: ['assigned'] })).mail_kinds).toEqual(['assigned'])
    await mention(ada)
    await make.task({ assignee_id: ada.id, name: 'Given to her' })
    await deliver()
    expect(server.received).toHaveLength(1)
    expect(plain(server.received[0]?.raw ?? '')).toContain('Given to her')
    expect((await service.get('/api/v1/notices', ada)).data.items).toHaveLength(3)
    expect(await set(ada, { digest: 'hourly' })).toMatchObject({ mail_kinds: ['assigned'], digest: 'hourly' })
  })

  test('have what waits go by them: a digest and quiet hours put off, and when they end it goes', async () => {
    const ada = await someone()
    const hour = new Date().getUTCHours()
    const at = (later: number) => `${String((hour + later + 24) % 24).padStart(2, '0')}:00`
    await set(ada, { quiet: { from: at(-1), to: at(3) } })
    await mention(ada)
    await deliver()
    expect([server.received, await messagesOf(ada)]).toEqual([[], []])
    const [{ waits }] = await service.rows(`select due_at > now() + interval '1 hour' as waits from deliveries`)
    expect(waits).toBe(true)
    await set(ada, { quiet: null, digest: 'daily', digest_at: at(3) })
    await deliver()
    expect(server.received).toEqual([])
    await service.rows(`update deliveries set at = at - interval '1 day', due_at = now()`)
    await deliver()
    expect(server.received).toHaveLength(1)
  })

  test('that are changed while notices are put off by the former ones are those that count', async () => {
    const ada = await someone()
    await set(ada, { digest: 'daily' })
    await mention(ada)
    const { main } = service.database
    const { groups } = await readGroups(main, ['mail', 'chat'])
    const mine = groups.filter(({ userId }) => userId === ada.id)
    expect(mine).toHaveLength(1)
    await service.rows(`update deliveries set due_at = due_at - interval '1 second' where user_id = $1`, [ada.id])
    await set(ada, { digest: 'at_once' })
    for (const group of mine) await putOff(main, group, Date.now() + 3_600_000)
    await deliver()
    expect(server.received).toHaveLength(1)
  })

  test('are refused where they are wrong, and an integration has none', async () => {
    const ada = await someone()
    for (const wrong of [
      { time_zone: 'Mars/Olympus' },
      { time_zone: '+02:00' },
      { digest_at: '24:00' },
      { quiet: { from: '8:00', to: '09:00' } },
      { mail_kinds: ['nothing'] },
      { chat: { service: 'slack', url: 'http://chat.example/hook' } },
      { chat: { service: 'slack', url: 'https://name:word@chat.example/hook' } },
      { chat: { service: 'irc', url: 'https://chat.example/hook' } },
    ])
      await set(ada, wrong, 422)
    const integration = await service.integration(['read'])
    expect((await service.get('/api/v1/notices/settings', integration)).status).toBe(404)
  })
})

describe('a chat', () => {
  test('gets its own shape at the address of the person, which is never shown whole again', async () => {
    const ada = await someone()
    const outside = await startOutside(json({ ok: true }))
    const url = `${outside.url}/hooks/secret-part`
    const shown = await set(ada, { chat: { service: 'slack', url }, mail_kinds: [], chat_kinds: ['mentioned'] })
    expect(shown.chat).toEqual({ service: 'slack', host: `127.0.0.1:${outside.port}`, ends_with: 'part' })
    expect(JSON.stringify(shown)).not.toContain('secret')
    const task = await mention(ada)
    await deliver()
    expect(outside.seen).toHaveLength(1)
    expect(JSON.parse(outside.seen[0]?.body ?? '').text).toContain(`<${origin}/tasks/${task.id}#comments|`)
    expect((await set(ada, { chat: null })).chat).toBeNull()
  })

  test('of the workspace is for those without one, and set by an admin alone', async () => {
    const ada = await someone()
    const outside = await startOutside(json({}, 429, { 'retry-after': '7' }), json({}, 500), json('gone', 404))
    const body = { chat: { service: 'discord', url: `${outside.url}/hook` } }
    expect((await service.patch('/api/v1/notices/workspace-chat', body, ada)).status).toBe(403)
    expect((await service.patch('/api/v1/notices/workspace-chat', body)).data.workspace_chat.service).toBe('discord')
    await set(ada, { mail_kinds: [], chat_kinds: ['mentioned'] })
    await mention(ada)
    for (let at = 0; at < 3; at++) {
      await deliver()
      await later()
    }
    expect(JSON.parse(outside.seen[0]?.body ?? '').content).toContain(ada.name.replace('.', '\\.'))
    expect(await messagesOf(ada)).toMatchObject([{ channel: 'chat', outcome: 'refused', tries: 3, said: '404 "gone"' }])
    await service.patch('/api/v1/notices/workspace-chat', { chat: null })
  })

  test('has its address sealed in the database, also from before there was a key, and after a change of the key', async () => {
    const [ada, bob, eve] = [await someone(), await someone(), await someone()]
    const outside = await startOutside(json({ ok: true }))
    const chat = { service: 'slack' as const, url: `${outside.url}/hooks/secret-part` }
    const { main } = service.database
    await set(ada, { chat })
    await setChat(main, createSealing([]), bob.id, chat)
    await setChat(main, createSealing([former]), eve.id, chat)
    await service.patch('/api/v1/notices/workspace-chat', { chat })
    const kept = async (): Promise<string[]> =>
      (await service.rows('select url from chat_addresses')).map(({ url }) => url)
    expect((await kept()).filter((url) => url.includes('secret-part'))).toHaveLength(1)
    const shown = { service: 'slack', host: `127.0.0.1:${outside.port}`, ends_with: 'part' }
    const expectRead = async () => {
      for (const person of [ada, bob, eve]) {
        const { data, text } = await service.get('/api/v1/notices/settings', person)
        expect([data.chat, data.workspace_chat, text.includes('secret')]).toEqual([shown, shown, false])
        expect((await service.post('/api/v1/notices/test', { channel: 'chat' }, person)).data.is_sent).toBe(true)
      }
    }
    await expectRead()
    await sealChats(main, createSealing([now, former]))
    const sealed = await kept()
    expect(sealed.filter((url) => url.includes('secret-part'))).toEqual([])
    expect(new Set(sealed.map((url) => url.split('.')[1])).size).toBe(1)
    await expectRead()
    await sealChats(main, createSealing([now, former]))
    expect((await kept()).toSorted()).toEqual(sealed.toSorted())
    await service.rows('delete from chat_addresses')
  })

  test('whose address no key opens says so, and its messages wait until it is set again', async () => {
    const ada = await someone()
    const outside = await startOutside(json({ ok: true }))
    const chat = { service: 'discord' as const, url: `${outside.url}/hook` }
    await setChat(service.database.main, createSealing([Buffer.alloc(32, 'lost')]), ada.id, chat)
    const shown = await set(ada, { mail_kinds: [], chat_kinds: ['mentioned'] })
    expect(shown.chat).toEqual({ service: 'discord', host: null, ends_with: null })
    const tried = await service.post('/api/v1/notices/test', { channel: 'chat' }, ada)
    expect(tried.data).toEqual({ is_sent: false, said: expect.stringContaining('ATELIER_SECRETS_KEY') })
    await mention(ada)
    await deliver()
    await sealChats(service.database.main, createSealing([now]))
    expect(await messagesOf(ada)).toMatchObject([{ outcome: null, said: expect.stringContaining('sealed') }])
    await set(ada, { chat })
    await later()
    await deliver()
    expect([await messagesOf(ada), outside.seen.length]).toMatchObject([[{ outcome: 'sent' }], 1])
  })

  test('that quotes its own address in an answer does not have it shown', async () => {
    const ada = await someone()
    const outside = await startOutside(json({ error: 'POST /hooks/secret-part is not known' }, 404))
    await set(ada, { chat: { service: 'slack', url: `${outside.url}/hooks/secret-part` } })
    const { data } = await service.post('/api/v1/notices/test', { channel: 'chat' }, ada)
    expect(data).toEqual({ is_sent: false, said: '404 {"error":"POST … is not known"}' })
  })

  test('at an address inside the network is refused, whatever it is called', async () => {
    const ada = await someone()
    const guarded = sendingWith({ chat: createChat([]) })
    await set(ada, { chat: { service: 'teams', url: 'https://localhost/hook' }, chat_kinds: ['mentioned'] })
    await mention(ada)
    await deliver(guarded)
    const [chat] = (await messagesOf(ada)).filter(({ channel }) => channel === 'chat')
    expect(chat).toMatchObject({ outcome: 'refused', said: expect.stringContaining('not on the public internet') })
  })
})

describe('a test', () => {
  test('is sent now and says the server’s own words, a few times a minute', async () => {
    const ada = await someone()
    const test = (channel: string) => service.post('/api/v1/notices/test', { channel }, { token: ada.token })
    expect((await test('mail')).data).toEqual({ is_sent: true, said: '250 2.0.0 Taken' })
    server.turns.push({ at: 'DATA', code: 554, words: '5.7.1 Spam' })
    expect((await test('mail')).data).toEqual({ is_sent: false, said: '554 5.7.1 Spam' })
    expect((await test('chat')).data.said).toContain('no address of a chat')
    for (let at = 0; at < 2; at++) await test('chat')
    expect((await test('mail')).status).toBe(429)
  })
})

test('what is purged takes what was to be sent along, and what ended long ago goes', async () => {
  const ada = await someone()
  const task = await mention(ada)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await purgeAtOnce(service)
  expect(await service.rows('select 1 from deliveries')).toEqual([])
  await mention(ada)
  await deliver()
  await service.rows(`update messages set ended_at = ended_at - interval '8 days'`)
  await forgetOldDeliveries(sendingWith())
  expect(await messagesOf(ada)).toEqual([])
})
