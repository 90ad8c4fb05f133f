// In charge of the facts of processes that are killed while they send notices: none is lost, and a repeat is the same mail.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { type Service, startService } from '../support/harness.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { makers } from '../support/make.ts'
import type { SenderOrders } from '../support/sender.ts'

let service: Service
let server: MailServer
const names = ['Ada One', 'Bob Two', 'Eve Three']
beforeAll(async () => {
  service = await startService()
  server = await startMailServer({ tls: 'none' })
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
  const orders: SenderOrders = { url: service.url ?? '', port: server.port, crashAt }
  return startChild('server/test/support/sender.ts', [JSON.stringify(orders)])
}

test('crash: killed before, between and after its sends, a process loses nothing, and each repeat has the id of the first', async () => {
  const make = makers(service)
  const { id } = await make.task()
  await make.comment(id, names.map((name) => `@${name}`).join(', '))
  for (const place of ['gathered', 'claimed', 'sent:2']) {
    const sender = send(place)
    expect(await sender.ended, sender.stderr()).toEqual({ code: null, signal: 'SIGKILL' })
    // Its lease is over.
    await service.rows('update messages set next_at = now() where outcome is null')
  }
  const killed = server.received.length
  expect(killed).toBeGreaterThan(0)
  const last = send('')
  expect(await last.ended, last.stderr()).toEqual({ code: 0, signal: null })

  expect(await service.rows('select outcome from messages')).toEqual(names.map(() => ({ outcome: 'sent' })))
  const idsOf = Map.groupBy(server.received, ({ to }) => String(to))
  expect([...idsOf.keys()].toSorted()).toEqual(['ada@example.org', 'bob@example.org', 'eve@example.org'])
  for (const mails of idsOf.values()) expect(new Set(mails.map(({ id }) => id)).size).toBe(1)
  expect(new Set(server.received.map(({ id }) => id)).size).toBe(3)
  expect(server.received.length).toBeGreaterThan(3)
})
