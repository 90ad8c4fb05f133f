// In charge of the HTTP routes of notices by mail and chat: the caller's settings, the workspace's chat, and sending a test
// message.
import { randomUUID } from 'node:crypto'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { createBuckets, tooMany } from '../../platform/http/rates.ts'
import type { Services } from '../../platform/services.ts'
import { sendToChat, wrongAddress } from './chat.ts'
import { setChat } from './chat-addresses.ts'
import type { Sending } from './deliver.ts'
import { isTimeZone } from './due.ts'
import type { Tried } from './mail.ts'
import { readRecipient } from './outbox.ts'
import { changeSettings, readSettings } from './settings-store.ts'
import { mailWords, testMessage } from './words.ts'

const testsPerMinute = 5

export function bindNoticeSettings(
  bind: Bind,
  { config, sending, clock }: Pick<Services, 'config'> & { sending: Sending; clock: Clock },
): void {
  const { sealing } = sending
  const tests = createBuckets(testsPerMinute, clock)
  const settingsOf = async (db: Db, userId: string) => ({
    data: await readSettings(db, userId, { isMailSetUp: sending.mailer !== null, sealing }),
  })
  const checkAddress = (chat: { url: string } | null | undefined) => {
    const wrong = chat && wrongAddress(chat.url, config.allowedHosts)
    // The error does not repeat the address, since whoever knows the address can post to the chat.
    if (wrong) throw invalidAt(['body', 'chat', 'url'], valueError(wrong), null)
  }

  bind(routes.getNoticeSettings, ({ db, actor }) => settingsOf(db, personOf(actor)))

  bind(routes.patchNoticeSettings, async ({ db, body, actor }) => {
    const userId = personOf(actor)
    checkAddress(body.chat)
    if (body.time_zone !== undefined && !isTimeZone(body.time_zone))
      throw invalidAt(
        ['body', 'time_zone'],
        valueError('must be a name of the IANA time zone database, such as Europe/Berlin'),
        body.time_zone,
      )
    await changeSettings(db, sealing, userId, body)
    return settingsOf(db, userId)
  })

  bind(routes.setWorkspaceChat, async ({ db, body, actor }) => {
    const userId = personOf(actor)
    checkAddress(body.chat)
    await setChat(db, sealing, null, body.chat)
    return settingsOf(db, userId)
  })

  bind(routes.testNotices, async ({ db, body: { channel }, actor }) => {
    const userId = personOf(actor)
    const seconds = tests.count(userId)
    if (seconds !== null) throw tooMany('notice_tests', `More than ${testsPerMinute} tests in a minute`, seconds)
    const { outcome, said } = await tryOut(db, sending, { userId, channel })
    return { data: { is_sent: outcome === 'sent', said } }
  })
}

function personOf({ userId }: Actor): string {
  if (userId === null) throw new Refusal('not_found', 'Notices are for people; an integration has no settings of them.')
  return userId
}

const cannot = (said: string): Tried => ({ outcome: 'refused', said })

async function tryOut(
  db: Db,
  { mailer, chat, origin, sealing }: Sending,
  { userId, channel }: { userId: string; channel: 'mail' | 'chat' },
): Promise<Tried> {
  const person = await readRecipient(db, sealing, userId)
  const message = testMessage({ origin, to: person?.name ?? 'Somebody' })
  if (channel === 'chat') {
    if (!person?.address) return cannot('There is no address of a chat yet: neither yours nor the workspace’s.')
    return sendToChat(chat, person.address, message)
  }
  if (mailer === null)
    return cannot('No mail server is set up: an operator sets ATELIER_SMTP_URL and ATELIER_MAIL_FROM.')
  if (!person?.email) return cannot('You have no address of mail: an admin can add one on the page of people.')
  const to = { name: person.name ?? '', address: person.email }
  return mailer({ id: randomUUID(), madeAt: new Date(), to, words: mailWords(message), settings: message.settings })
}
