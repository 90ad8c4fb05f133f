// Facts about failing mail servers: which messages are retried, which end with the server's error text, and that none is lost.
// The facts are the same on both databases, so the tests run on one of them only.
import dns from 'node:dns'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { gatherDue, sendDue } from '../../src/features/notices/deliver.ts'
import { createMailer } from '../../src/features/notices/mail.ts'
import type { Service } from '../support/harness.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { forgetMessages, messagesOn, password, startWithMail } from '../support/messages.ts'

let service: Service
let server: MailServer
let someone: ReturnType<typeof messagesOn>['someone']
let mention: ReturnType<typeof messagesOn>['mention']
let deliver: ReturnType<typeof messagesOn>['deliver']
let later: ReturnType<typeof messagesOn>['later']
let messagesOf: ReturnType<typeof messagesOn>['messagesOf']
let sendingWith: ReturnType<typeof messagesOn>['sendingWith']
let close: () => Promise<void>

beforeAll(async () => {
  ;({ service, server, close } = await startWithMail())
  ;({ someone, mention, deliver, later, messagesOf, sendingWith } = messagesOn(service))
})
afterAll(() => close())
afterEach(() => forgetMessages(service, server))

test('what it puts off is tried again with the same id; what it refuses ends with its words', async () => {
  const ada = await someone()
  await mention(ada)
  server.turns.push(
    { at: 'RCPT', code: 451, words: '4.7.1 Greylisted' },
    { at: 'DATA', code: 452, words: '4.3.1 Full' },
  )
  for (let at = 0; at < 3; at++) {
    await deliver()
    await later()
  }
  expect(await messagesOf(ada)).toMatchObject([{ outcome: 'sent', tries: 3 }])
  const bob = await someone()
  await mention(bob)
  server.turns.push({ at: 'RCPT', code: 550, words: '5.1.1 No such box' })
  await deliver()
  expect(await messagesOf(bob)).toMatchObject([{ outcome: 'refused', tries: 1, said: '550 5.1.1 No such box' }])
  expect(server.received.map(({ to }) => to)).toEqual([[ada.email]])
})

test('one that is cut off in the middle, and one that is never answered, are tried again', async () => {
  const ada = await someone()
  await mention(ada)
  server.turns.push('cut', 'hang')
  await deliver()
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, tries: 1 }])
  await later()
  await deliver(sendingWith({ limitMs: 300 }))
  const said = 'The mail server did not answer within 0.3 s.'
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, tries: 2, said }])
  // Removes the entry `hang`, which is still there if the time limit passed before the mail server used it.
  server.turns.length = 0
  await later()
  await deliver()
  expect(await messagesOf(ada)).toMatchObject([{ outcome: 'sent', tries: 3 }])
})

test('when the service stops, a try that is under way is put off', async () => {
  const ada = await someone()
  await mention(ada)
  server.turns.push('hang')
  const stopping = new AbortController()
  const arrived = new Promise<void>((resolve) => {
    server.onTurn = resolve
  })
  await gatherDue(sendingWith())
  const sent = sendDue(sendingWith({ stopMs: 1 }), 'mail', stopping.signal)
  await arrived
  stopping.abort()
  await sent
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, tries: 1 }])
})

test('when the service stops, a try that is not connected yet is put off', async () => {
  const ada = await someone()
  await mention(ada)
  const { smtp } = service.config
  if (!smtp) throw new Error('The test has no mail server.')
  const asked = new Promise<void>((resolve) => {
    // No address is ever found for the mail server, so its connection stays as it is before one is made.
    const lookup = vi.spyOn(dns, 'lookup').mockImplementationOnce((() => resolve()) as never)
    onTestFinished(() => lookup.mockRestore())
  })
  const mailer = createMailer({ ...service.config, smtp: { ...smtp, host: 'mail.example' } })
  const stopping = new AbortController()
  await gatherDue(sendingWith())
  const sent = sendDue(sendingWith({ mailer, stopMs: 1 }), 'mail', stopping.signal)
  await asked
  stopping.abort()
  await sent
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, tries: 1, said: 'The service stops.' }])
})

test('a wrong password, and a server that is away, lose nothing; after a day it is given up', async () => {
  const ada = await someone()
  await mention(ada)
  const { smtp } = service.config
  if (!smtp) throw new Error('The test has no mail server.')
  const wrong = createMailer({ ...service.config, smtp: { ...smtp, auth: { user: 'ada', pass: 'x' } } })
  await deliver(sendingWith({ mailer: wrong }))
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, said: expect.stringContaining('5.7.8 No.') }])
  await later()
  await deliver(sendingWith({ mailer: createMailer({ ...service.config, smtp: { ...smtp, port: 1 } }) }))
  expect(await messagesOf(ada)).toMatchObject([{ outcome: null, tries: 2 }])
  await service.rows(`update messages set made_at = made_at - interval '25 hours', next_at = now()`)
  await deliver(sendingWith({ mailer: wrong }))
  expect(await messagesOf(ada)).toMatchObject([{ outcome: 'given_up', said: expect.stringContaining('5.7.8 No.') }])
})

test('a server that wants a password or TLS, and says so only at the mail itself, gets it later', async () => {
  const ada = await someone()
  await mention(ada)
  server.turns.push(
    { at: 'MAIL', code: 530, words: '5.7.0 Authentication required' },
    { at: 'RCPT', code: 534, words: '5.7.9 Too weak' },
    { at: 'DATA', code: 538, words: '5.7.11 Encryption needed' },
  )
  for (let at = 0; at < 4; at++) {
    await deliver()
    await later()
  }
  expect(await messagesOf(ada)).toMatchObject([{ outcome: 'sent', tries: 4 }])
})

test('a message that each try failed to end is given up at last', async () => {
  const ada = await someone()
  await mention(ada)
  await gatherDue(sendingWith())
  await service.rows('update messages set tries = 30')
  await deliver()
  expect([await messagesOf(ada), server.received]).toMatchObject([[{ outcome: 'given_up' }], []])
})

test('a server without TLS gets neither password nor mail', async () => {
  const bare = await startMailServer({ tls: 'none' })
  const ada = await someone()
  await mention(ada)
  const { smtp } = service.config
  if (!smtp) throw new Error('The test has no mail server.')
  await deliver(sendingWith({ mailer: createMailer({ ...service.config, smtp: { ...smtp, port: bare.port } }) }))
  expect([bare.received, (await messagesOf(ada))[0].outcome]).toEqual([[], null])
  const open = { ...smtp, port: bare.port, tls: 'none' as const, auth: null }
  await later()
  await deliver(sendingWith({ mailer: createMailer({ ...service.config, smtp: open }) }))
  expect(bare.received).toMatchObject([{ to: [ada.email], isSecure: false }])
  await bare.close()
})

test('TLS from the first byte', async () => {
  const implicit = await startMailServer({ tls: 'implicit', password })
  const ada = await someone()
  await mention(ada)
  const smtp = {
    host: 'localhost',
    port: implicit.port,
    tls: 'implicit' as const,
    auth: { user: 'ada', pass: password },
  }
  await deliver(sendingWith({ mailer: createMailer({ ...service.config, smtp }) }))
  expect(implicit.received).toMatchObject([{ to: [ada.email], isSecure: true }])
  await implicit.close()
})
