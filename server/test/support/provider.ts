// In charge of an identity provider's webhook messages in tests: their content, signature and sending.
import { Webhook } from 'standardwebhooks'
import type { Body, Reply, Service } from './harness.ts'

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const webhookPath = '/webhooks/identity-provider'
/** The organization of the service under test, as set by `ATELIER_ORGANIZATION`. */
export const ourOrganization = 'org_main'

export type Sent = { id?: string; at?: Date; secret?: string; headers?: Record<string, string>; prefix?: string }

let count = 0

/** Sends a message to the webhook, signed by the library that providers use too (`standardwebhooks`). */
export async function sendMessage(service: Service, body: unknown, sent: Sent = {}): Promise<Reply> {
  const { id = `msg_${++count}`, at = new Date(), prefix = 'webhook', secret = webhookSecret, headers = {} } = sent
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const signature = new Webhook(secret).sign(id, at, raw)
  return service.ask('POST', webhookPath, {
    token: null,
    raw,
    headers: {
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
      [`${prefix}-signature`]: signature,
      ...headers,
    },
  })
}

export const userMessage = (id: string, updated_at: number, first_name = 'Ada', kind = 'updated'): Body => ({
  type: `user.${kind}`,
  object: 'event',
  data: {
    id,
    first_name,
    last_name: 'Lovelace',
    image_url: 'https://example.com/a.png',
    primary_email_address_id: 'mail_1',
    email_addresses: [{ id: 'mail_1', email_address: 'ada@example.com' }],
    updated_at,
  },
})

export const userDeletedMessage = (id: string, timestamp?: number): Body => ({
  type: 'user.deleted',
  data: { object: 'user', id, deleted: true },
  ...(timestamp === undefined ? {} : { timestamp }),
})

type Member = {
  kind?: 'created' | 'updated' | 'deleted'
  organization?: string | null
  created_at?: number
  timestamp?: number
}

/** A message about a membership, by default in the organization that the service is set to. */
export function memberMessage(id: string, userId: string, role: unknown, updated_at: number, more: Member = {}): Body {
  const { kind = 'created', organization = ourOrganization, created_at, timestamp } = more
  return {
    type: `organizationMembership.${kind}`,
    data: {
      id,
      role,
      ...(organization === null ? {} : { organization: { id: organization, name: organization } }),
      public_user_data: { user_id: userId },
      ...(created_at === undefined ? {} : { created_at }),
      updated_at,
    },
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

/** The users with this id at the provider: one, or none. */
export const peopleOf = (service: Service, providerId: string) =>
  service.rows(
    `select u.id, u.name, u.email, u.role, u.active from users u join directory_users d on d.user_id = u.id
     where d.provider_id = $1`,
    [providerId],
  )
