// Facts about messages that were put off and are tried again: they go by the settings of that moment, and nothing is sent twice.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Body, Service } from '../support/harness.ts'
import type { MailServer } from '../support/mail-server.ts'
import { makers } from '../support/make.ts'
import { forgetMessages, messagesOn, type Person, startWithMail } from '../support/messages.ts'

let service: Service
let make: ReturnType<typeof makers>
let server: MailServer
let someone: ReturnType<typeof messagesOn>['someone']
let mention: ReturnType<typeof messagesOn>['mention']
let deliver: ReturnType<typeof messagesOn>['deliver']
let later: ReturnType<typeof messagesOn>['later']
let messagesOf: ReturnType<typeof messagesOn>['messagesOf']
let close: () => Promise<void>

beforeAll(async () => {
  ;({ service, server, close } = await startWithMail())
  make = makers(service)
  ;({ someone, mention, deliver, later, messagesOf } = messagesOn(service))
})
afterAll(() => close())
afterEach(() => forgetMessages(service, server))

const set = async (person: Person, body: object): Promise<void> => {
  const { status, text } = await service.patch('/api/v1/notices/settings', body, { token: person.token })
  expect(status, text).toBe(200)
}
const later451 = { at: 'RCPT', code: 451, words: '4.7.1 Greylisted' } as const
const given = ({ id }: Person): Promise<Body> => make.task({ assignee_id: id })
/** Takes a task from a person and gives it back, which brings back the person's notice about it. */
const giveAgain = async ({ id }: Person, task: Body): Promise<void> => {
  for (const assignee_id of [null, id]) await make.patched(task.id, { assignee_id })
}
/** Who received which kinds of notices, one line for each mail. */
const told = (): string[] =>
  server.received
    .map(({ to: [to], raw }) => {
      const text = raw.replaceAll('=\r\n', '')
      return [to, ...['responsible', 'mentioned'].filter((word) => text.includes(word))].join(' ')
    })
    .toSorted()

test('a message that is tried again waits while the hours are quiet, without that being a try, and goes when they no longer are', async () => {
  const ada = await someone()
  await mention(ada)
  server.turns.push(later451)
  await deliver()
  const hour = new Date().getUTCHours()
  const at = (later: number) => `${String((hour + later + 24) % 24).padStart(2, '0')}:00`
  await set(ada, { quiet: { from: at(-1), to: at(3) } })
  for (let time = 0; time < 2; time++) {
    await later()
    await deliver()
  }
  expect([server.received, await messagesOf(ada)]).toMatchObject([[], [{ outcome: null, tries: 1 }]])
  // It is looked at again before the quiet hours end, since they may be changed.
  const [{ soon }] = await service.rows(`select next_at < now() + interval '11 minutes' as soon from messages`)
  expect(soon).toBe(true)
  await set(ada, { quiet: null })
  await later()
  await deliver()
  expect([server.received.length, await messagesOf(ada)]).toMatchObject([1, [{ outcome: 'sent', tries: 2 }]])
})

test('it leaves out the kinds that the person no longer wants, and is not sent where none is left', async () => {
  const [ada, bob] = [await someone(), await someone()]
  for (const person of [ada, bob]) {
    await set(person, { mail_kinds: ['mentioned', 'assigned'] })
    await mention(person)
    await given(person)
    server.turns.push(later451)
  }
  await deliver()
  await set(ada, { mail_kinds: [] })
  await set(bob, { mail_kinds: ['assigned'] })
  await later()
  await deliver()
  expect(told()).toEqual([`${bob.email} responsible`])
  expect(await messagesOf(ada)).toMatchObject([{ outcome: 'unneeded' }])
})

test('it is not sent beside the message of a notice that has returned meanwhile; what else it has is', async () => {
  const [ada, bob] = [await someone(), await someone()]
  for (const person of [ada, bob]) {
    await set(person, { mail_kinds: ['mentioned', 'assigned'] })
    const task = await given(person)
    if (person === bob) await mention(person)
    server.turns.push(later451, later451)
    await deliver()
    await giveAgain(person, task)
    await service.rows(`update messages set made_at = made_at - interval '1 minute'`)
    await later()
    await deliver()
    server.turns.length = 0
    await later()
    await deliver()
  }
  expect(told()).toEqual([`${ada.email} responsible`, `${bob.email} mentioned`, `${bob.email} responsible`])
  const outcomes = (await messagesOf(ada)).map(({ outcome }) => outcome)
  expect(outcomes.toSorted()).toEqual(['sent', 'unneeded'])
  expect(await service.rows('select 1 from deliveries')).toEqual([])
})

test('it tells of a notice that has returned and still waits for its digest, which then is not sent again', async () => {
  const ada = await someone()
  await set(ada, { mail_kinds: ['assigned'] })
  const task = await given(ada)
  server.turns.push(later451)
  await deliver()
  await set(ada, { digest: 'hourly' })
  await giveAgain(ada, task)
  await service.rows('update messages set next_at = now()')
  await deliver()
  expect([server.received.length, await service.rows('select 1 from deliveries')]).toEqual([1, []])
  await giveAgain(ada, task)
  expect(await service.rows('select 1 from deliveries')).toHaveLength(1)
})
