// Facts about processes that are killed while they send notices: no notice is lost, and a repeat is the same mail.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { type Service, startService } from '../support/harness.ts'
import { certificateFile, type MailServer, startMailServer } from '../support/mail-server.ts'
import { makers } from '../support/make.ts'
import type { SenderOrders } from '../support/sender.ts'

let service: Service
let server: MailServer
const password = 'p@ss:wörd/'
const names = ['Ada One', 'Bob Two', 'Eve Three']
beforeAll(async () => {
  service = await startService()
  server = await startMailServer({ password })
  for (const name of names) {
    const { id } = await service.person('writer')
    const email = `${name.slice(0, 3).toLowerCase()}@example.org`
    await service.patch(`/api/v1/users/${id}`, { name, email })
  }
})
afterEach(killChildren)
afterAll(async () => {
  await service.close()
  await server.close()
})

const send = (crashAt: string) => {
  const orders: SenderOrders = { url: service.url ?? '', port: server.port, password, crashAt }
  return startChild('server/test/support/sender.ts', [JSON.stringify(orders)], { NODE_EXTRA_CA_CERTS: certificateFile })
}
type Sender = ReturnType<typeof send>

/** When the sender is killed: at a named point in its code, or when the mail server sees a certain step. */
const deaths: [place: string, crashAt: string, prepare: (sender: Sender) => void][] = [
  ['before anything is claimed', 'gathered', () => undefined],
  ['before anything is sent', 'claimed', () => undefined],
  [
    'while the server says nothing',
    '',
    (sender) => {
      server.turns.push('hang', 'hang', 'hang')
      server.onTurn = () => sender.kill('SIGKILL')
    },
  ],
  [
    'when a mail has wholly arrived and has no answer yet',
    '',
    (sender) => {
      server.onMail = () => sender.kill('SIGKILL')
    },
  ],
  [
    'when one was put off and another has its answer, before that is written down',
    'sent:2',
    () => void server.turns.push({ at: 'DATA', code: 451, words: '4.3.0 Later' }),
  ],
]

test('crash: killed at any moment between the outbox and its last send, a process loses nothing, and each repeat has the id of the first', async () => {
  const make = makers(service)
  const { id } = await make.task()
  await make.comment(id, names.map((name) => `@${name}`).join(', '))
  for (const [place, crashAt, prepare] of deaths) {
    const sender = send(crashAt)
    prepare(sender)
    expect(await sender.ended, `${place}: ${sender.stderr()}`).toEqual({ code: null, signal: 'SIGKILL' })
    Object.assign(server, { turns: [], onMail: () => undefined, onTurn: () => undefined })
    // Simulates that the claim of the killed process on its messages has run out.
    await service.rows('update messages set next_at = now() where outcome is null')
  }
  const last = send('')
  expect(await last.ended, last.stderr()).toEqual({ code: 0, signal: null })

  expect(await service.rows('select outcome from messages')).toEqual(names.map(() => ({ outcome: 'sent' })))
  const idsOf = Map.groupBy(server.received, ({ to }) => String(to))
  expect([...idsOf.keys()].toSorted()).toEqual(['ada@example.org', 'bob@example.org', 'eve@example.org'])
  for (const mails of idsOf.values()) expect(new Set(mails.map(({ id }) => id)).size).toBe(1)
  expect(new Set(server.received.map(({ id }) => id)).size).toBe(3)
  expect(server.received.length).toBeGreaterThan(3)
  expect(server.received.every(({ isSecure, user }) => isSecure && user === 'ada')).toBe(true)
})
