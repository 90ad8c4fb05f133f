// In charge of wiring the sending of notices by mail and chat: the mail server, the chat services, and the periodic jobs.
import { createChat } from '../features/notices/chat.ts'
import { sealChats } from '../features/notices/chat-addresses.ts'
import { forgetOldDeliveries, gatherDue, type Sending, sendDue } from '../features/notices/deliver.ts'
import { createMailer } from '../features/notices/mail.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Job } from '../platform/periodic.ts'
import { createSealing } from '../platform/sealing.ts'

/**
 * The first part of links in messages. Without a public address, they work only for people at the machine of the service, at which
 * an address that means all interfaces is no address to open.
 */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

export const sendingOf = (config: Config, database: Database, log: Log): Sending => ({
  ...{ database, log, origin: originOf(config) },
  sealing: createSealing(config.secretsKeys),
  mailer: createMailer(config),
  chat: createChat(config.allowedHosts),
})

const everyMs = 2_000

/**
 * Creates the jobs that collect and send messages. Each channel has a job of its own, so that a slow mail server does not delay
 * chat messages, and slow chat services do not delay mail.
 */
export const sendingJobs = (sending: Sending): Job[] => [
  { name: 'gather-messages', everyMs, run: () => gatherDue(sending) },
  { name: 'send-mail', everyMs, run: (stopping) => sendDue(sending, 'mail', stopping) },
  { name: 'send-chat', everyMs, run: (stopping) => sendDue(sending, 'chat', stopping) },
  { name: 'seal-chats', everyMs: 30_000, run: () => sealChats(sending.database.main, sending.sealing) },
  { name: 'forget-messages', everyMs: 3_600_000, run: () => forgetOldDeliveries(sending) },
]
