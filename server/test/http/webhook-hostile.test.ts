// Facts about thousands of hostile messages to the identity provider's webhook: forged, replayed,
// stale, truncated and re-encoded ones. Each would change a person if it were accepted; none is.
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, share, startService } from '../support/harness.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes !!!').toString('base64')}`
const path = '/webhooks/identity-provider'
const rounds = Number(process.env.ATELIER_TEST_MESSAGES ?? share(1000))

type Message = { id: string; at: Date; raw: string; signature: string }

let service: Service
let accepted: Message[]
beforeAll(async () => {
  service = await startService({ ATELIER_WEBHOOK_SECRETS: secret, ATELIER_ORGANIZATION: 'org_main' })
  const events = [user('Ada', 10), member('org:admin', 10), user('Augusta', 20), member('org:member', 30)]
  accepted = events.map((event, index) => signed(event, `msg_accepted_${index}`))
  for (const message of accepted) {
    if ((await send(message)) !== 204) throw new Error(`A good message was refused: ${message.raw}`)
  }
  // An admin changes the person. An accepted replay of an earlier message would undo this change.
  const [{ user_id }] = await service.rows('select user_id from directory_users')
  await service.patch(`/api/v1/users/${user_id}`, { name: 'Ada King', active: false })
})
afterAll(() => service.close())

const user = (first_name: string, updated_at: number) => ({
  type: 'user.updated',
  data: { id: 'user_1', first_name, last_name: 'Lovelace “Æ”', email_addresses: [], updated_at },
})
const member = (role: string, updated_at: number) => ({
  type: 'organizationMembership.updated',
  data: {
    id: 'membership_1',
    role,
    organization: { id: 'org_main' },
    public_user_data: { user_id: 'user_1' },
    updated_at,
  },
})
const gone = { type: 'user.deleted', data: { id: 'user_1', deleted: true } }

function signed(event: object, id: string, { at = new Date(), by = secret } = {}): Message {
  const raw = JSON.stringify(event)
  return { id, at, raw, signature: new Webhook(by).sign(id, at, raw) }
}

async function send({ id, at, raw, signature }: Message): Promise<number> {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  return (await service.ask('POST', path, { token: null, raw, headers })).status
}

/** A pseudo-random number below a bound; the sequence is the same in every test run. */
let seed = 11
function random(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

/** A digest of all rows that a message could change. */
const everything = () =>
  service.rows(`select md5(concat(
    (select json_agg(u order by id) from users u), (select json_agg(d order by provider_id) from directory_users d),
    (select json_agg(m order by membership_id) from directory_memberships m),
    (select json_agg(w order by id) from webhook_messages w))) as digest`)

/** A valid message, which would change a person if it arrived unmodified. */
function good(turn: number): Message {
  const events = [user(`Mallory ${turn}`, 100 + turn), member('org:admin', 100 + turn), gone]
  return signed(events[turn % 3] ?? gone, `msg_${turn}`)
}

const hostile: Record<string, (turn: number) => Message> = {
  forged: (turn) => {
    const by = `whsec_${randomBytes(32).toString('base64')}`
    const message = good(turn)
    const signatures = [
      signed(JSON.parse(message.raw), message.id, { by }).signature,
      `v1,${randomBytes(32).toString('base64')}`,
      `v1a,${message.signature.slice(3)}`,
      `v1,${Buffer.from(secret).toString('base64')}`,
      '',
    ]
    return { ...message, signature: signatures[random(signatures.length)] ?? '' }
  },
  'replayed under another id or at another time': (turn) => {
    const message = accepted[turn % accepted.length] ?? good(turn)
    const later = new Date(message.at.getTime() + 1000 * (1 + random(200)))
    return random(2) === 0 ? { ...message, id: `msg_again_${turn}` } : { ...message, at: later }
  },
  stale: (turn) => {
    const seconds = (301 + random(100_000)) * (random(2) === 0 ? 1 : -1)
    return signed(JSON.parse(good(turn).raw), `msg_${turn}`, { at: new Date(Date.now() + seconds * 1000) })
  },
  'cut short': (turn) => {
    const message = good(turn)
    return { ...message, raw: message.raw.slice(0, random(message.raw.length)) }
  },
  're-encoded': (turn) => {
    const message = good(turn)
    const ways = [
      (text: string) => JSON.stringify(JSON.parse(text), null, 1 + random(4)),
      (text: string) => `${text}\n`,
      (text: string) => `\uFEFF${text}`,
      (text: string) => text.replace('"type"', '"\\u0074ype"'),
      (text: string) => text.replace('{', '{"type":"session.created",'),
      (text: string) => text.replaceAll('/', '\\/').replace('user_1', 'user_2'),
      (text: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed())),
    ]
    return { ...message, raw: ways[random(ways.length)]?.(message.raw) ?? '' }
  },
}

test.for(Object.keys(hostile))('messages that are %s are refused and change nothing', async (kind) => {
  const before = await everything()
  for (let turn = 0; turn < rounds; turn++) {
    const message = hostile[kind]?.(turn) ?? good(turn)
    expect(await send(message), JSON.stringify(message)).toBe(401)
    if (turn % 50 === 0) await setImmediate()
  }
  expect(await everything()).toEqual(before)
})

test('repeats of accepted messages are accepted and change nothing', async () => {
  const before = await everything()
  for (let turn = 0; turn < rounds; turn++) {
    expect(await send(accepted[random(accepted.length)] ?? good(turn))).toBe(204)
  }
  expect(await everything()).toEqual(before)
})

test('the same messages, as they were signed, would have changed somebody', async () => {
  const before = await everything()
  expect(await send(good(0))).toBe(204)
  expect(await everything()).not.toEqual(before)
})
