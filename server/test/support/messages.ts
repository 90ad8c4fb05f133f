// In charge of what tests of mail and chat messages share: users with an e-mail address, and messages, sent when a test says so.
import { expect } from 'vitest'
import { createChat } from '../../src/features/notices/chat.ts'
import { gatherDue, type Sending, sendDue } from '../../src/features/notices/deliver.ts'
import { createMailer } from '../../src/features/notices/mail.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSealing } from '../../src/platform/sealing.ts'
import { type Body, type Service, startService } from './harness.ts'
import { type MailServer, startMailServer, trustMailServer } from './mail-server.ts'
import { makers } from './make.ts'

export const origin = 'https://atelier.example'
export const password = 'p@ss:wörd/'

/** A service with a mail server that requires STARTTLS and the password. */
export async function startWithMail(
  more: Record<string, string> = {},
): Promise<{ service: Service; server: MailServer; close(): Promise<void> }> {
  trustMailServer()
  const server = await startMailServer({ password })
  const service = await startService({
    PUBLIC_URL: origin,
    ATELIER_SMTP_URL: `smtp://ada:${encodeURIComponent(password)}@127.0.0.1:${server.port}`,
    ATELIER_MAIL_FROM: 'Atelier <atelier@example.org>',
    ATELIER_ALLOWED_HOSTS: '127.0.0.1',
    ...more,
  })
  const close = async (): Promise<void> => {
    await service.close()
    await server.close()
  }
  return { service, server, close }
}

/** For `afterEach`: deletes all messages, deliveries and received mails, and lets the mail server accept mails again. */
export async function forgetMessages(service: Service, server: MailServer): Promise<void> {
  Object.assign(server, { turns: [], onMail: () => undefined, onTurn: () => undefined })
  server.received.length = 0
  await service.rows('delete from messages')
  await service.rows('delete from deliveries')
}

export type Person = { id: string; token: string; name: string; email: string }

export function messagesOn(service: Service) {
  const make = makers(service)
  let serial = 0
  const sendingWith = ({ limitMs, ...parts }: Partial<Sending> & { limitMs?: number } = {}): Sending => ({
    ...{ database: service.database, log: createLog('silent'), origin: service.config.publicUrl ?? '' },
    sealing: createSealing(service.config.secretsKeys),
    mailer: createMailer(service.config, limitMs),
    chat: createChat(service.config.allowedHosts, limitMs),
    ...parts,
  })
  return {
    sendingWith,
    async someone(name = `Person ${serial++}.`): Promise<Person> {
      const person = await service.person('writer')
      const email = `p${serial++}@example.org`
      expect((await service.patch(`/api/v1/users/${person.id}`, { name, email })).status).toBe(200)
      return { ...person, name, email }
    },
    /** Mentions a user in a comment, which causes a notice by mail; returns the task. */
    async mention({ name }: Person, words = 'look'): Promise<Body> {
      const task = await make.task({ name: 'Hooks' })
      await make.comment(task.id, `@${name}, ${words}`)
      return task
    },
    async deliver(by = sendingWith()): Promise<void> {
      await gatherDue(by)
      for (const channel of ['mail', 'chat'] as const) await sendDue(by, channel, new AbortController().signal)
    },
    messagesOf: ({ id }: Person): Promise<Body[]> =>
      service.rows('select channel, outcome, tries, said from messages where user_id = $1 order by made_at', [id]),
    /** Makes postponed messages due now, as if time had passed. */
    async later(): Promise<void> {
      await service.rows('update messages set next_at = now() where outcome is null')
      await service.rows('update deliveries set due_at = now() where message_id is null')
    },
  }
}
