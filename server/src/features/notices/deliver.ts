// In charge of sending notices by mail and chat: composing, claiming, sending (outside any transaction) and closing messages.
import type { NoticeChannel } from '@atelier/contract/notice-channels.ts'
import { countMessage } from '../../platform/counts.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type Chat, sendToChat } from './chat.ts'
import { afterQuiet, dueAt } from './due.ts'
import type { Mailer, Tried } from './mail.ts'
import {
  type Claimed,
  claim,
  endMessage,
  forgetOld,
  gather,
  putOff,
  type Recipient,
  readGroups,
  readRecipient,
  takeReturned,
  tryLater,
  waitOutQuiet,
} from './outbox.ts'
import { readMessageNotices } from './store.ts'
import { type Message, mailWords, messageOf, mostListed, oneLine } from './words.ts'

/** Points in the code at which tests kill the process. */
type DeliveryPoint = 'gathered' | 'claimed' | 'sent'

export type Sending = {
  database: Database
  log: Log
  sealing: Sealing
  /** The first part of all links in messages, such as `https://atelier.example`. */
  origin: string
  mailer: Mailer | null
  chat: Chat
  crash?: (point: DeliveryPoint) => void
  /** How many milliseconds attempts may continue after the process has begun to stop. Tests set a shorter time. */
  stopMs?: number
}

const atOnce = 8
/**
 * How many seconds pass before a message that one process has claimed can be claimed by others. An attempt never takes this long.
 */
const leaseSeconds = 120
const mostTries = 30
const mostAgeSeconds = 24 * 3600
/** How long a message waits at most in quiet hours before its person's settings are read again, which may have changed. */
const quietMs = 600_000

/** How many seconds to wait after `tries` attempts: 60 after the first, then twice as long each time, up to an hour. */
const backoffSeconds = (tries: number): number => Math.min(3600, 30 * 2 ** Math.min(tries, 10))

export const channelsOf = (mailer: unknown): NoticeChannel[] => (mailer === null ? ['chat'] : ['mail', 'chat'])

/**
 * Composes messages from the waiting notices of people who are to receive a message now, and postpones the notices of the others.
 */
export async function gatherDue(sending: Sending): Promise<void> {
  const { main } = sending.database
  const { groups, now } = await readGroups(main, channelsOf(sending.mailer))
  for (const group of groups) {
    const due = dueAt(group.timing, group, now)
    if (due > now) await putOff(main, group, due)
    else await gather(main, group)
  }
  if (groups.length > 0) sending.crash?.('gathered')
}

/** Sends the messages of a channel that are due, several at a time, until none is left or the process has to stop. */
export async function sendDue(sending: Sending, channel: NoticeChannel, stopping: AbortSignal): Promise<void> {
  const giveUp = new AbortController()
  const hurry = (): void => void setTimeout(() => giveUp.abort(), sending.stopMs ?? 3_000).unref()
  stopping.addEventListener('abort', hurry)
  try {
    while (!stopping.aborted) {
      const claimed = await claim(sending.database.main, channel, atOnce, leaseSeconds)
      if (claimed.length === 0) return
      sending.crash?.('claimed')
      const done = await Promise.allSettled(claimed.map((message) => sendOne(sending, message, giveUp.signal)))
      const failure = done.find((one) => one.status === 'rejected')
      if (failure) throw failure.reason
    }
  } finally {
    stopping.removeEventListener('abort', hurry)
  }
}

async function sendOne(sending: Sending, message: Claimed, signal: AbortSignal): Promise<void> {
  const { main } = sending.database
  // There are too many attempts only if the last permitted one recorded no outcome: its process was killed, or an unexpected
  // error occurred.
  if (message.tries > mostTries) return end(sending, message, { outcome: 'given_up', said: null })
  const recipient = await readRecipient(main, sending.sealing, message.user_id)
  if (recipient !== null) {
    const now = Date.parse(message.now)
    const due = afterQuiet(recipient.timing, now)
    if (due > now) return waitOutQuiet(main, message, Math.min(due, now + quietMs))
  }
  await takeReturned(main, message)
  const { notices, count } = await readMessageNotices(main, message.id, mostListed)
  if (recipient === null || count === 0) return end(sending, message, { outcome: 'unneeded', said: null })
  const words = messageOf(notices, count, { origin: sending.origin, to: recipient.name ?? 'Somebody' })
  const tried = await attempt(sending, message, { recipient, words, signal })
  sending.crash?.('sent')
  if (tried === null) return end(sending, message, { outcome: 'unneeded', said: null })
  if (tried.outcome !== 'again') return end(sending, message, { outcome: tried.outcome, said: tried.said })
  if (message.tries >= mostTries || message.age > mostAgeSeconds)
    return end(sending, message, { outcome: 'given_up', said: tried.said })
  await tryLater(main, message, tried.said, Math.max(tried.afterSeconds ?? 0, backoffSeconds(message.tries)))
  sending.log.warn(
    { message: message.id, said: tried.said },
    `a ${message.channel} message was not taken; it is tried again`,
  )
  countMessage(message.channel, 'put_off')
}

/** Tries once to send a message. Returns null if the person now has no address for this channel, or if no mail server is set up. */
async function attempt(
  { mailer, chat }: Sending,
  { id, channel, made_at }: Claimed,
  { recipient, words, signal }: { recipient: Recipient; words: Message; signal: AbortSignal },
): Promise<Tried | null> {
  const { name, email, address } = recipient
  if (channel === 'chat') return address && sendToChat(chat, address, words, signal)
  if (email === null || mailer === null) return null
  const to = { name: oneLine(name ?? '', 200), address: email }
  const mail = { id, madeAt: new Date(made_at), to, words: mailWords(words), settings: words.settings }
  return mailer(mail, signal)
}

async function end(sending: Sending, message: Claimed, ending: Parameters<typeof endMessage>[2]): Promise<void> {
  await endMessage(sending.database.main, message, ending)
  countMessage(message.channel, ending.outcome)
  if (ending.outcome === 'refused' || ending.outcome === 'given_up')
    sending.log.warn({ message: message.id, said: ending.said }, `a ${message.channel} message was not delivered`)
}

export const forgetOldDeliveries = (sending: Sending): Promise<void> =>
  forgetOld(sending.database.main, channelsOf(sending.mailer))
