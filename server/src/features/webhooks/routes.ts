// In charge of the route for messages from the identity provider: it verifies the signature, checks the content, and then applies
// either all of the message or nothing.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance } from 'fastify'
import { countWebhookMessage } from '../../platform/counts.ts'
import { afterCommit } from '../../platform/db.ts'
import { readTrustedJson } from '../../platform/json-body.ts'
import type { Log } from '../../platform/log.ts'
import type { Services } from '../../platform/services.ts'
import { logChange } from './align.ts'
import { readEvent } from './events.ts'
import { readHeaders, verifySignature } from './signature.ts'
import { type Applied, applyEvent, claimMessage } from './store.ts'

export function bindWebhooks(server: FastifyInstance, { database, config, auth }: Services): void {
  // This route does not use the contract's parser, since no body may be parsed before its signature is verified.
  server.post(
    outsideRoutes.identityWebhook.path,
    {
      config: { routeId: 'identityWebhook' },
      onError: async () => countWebhookMessage('refused'),
    },
    async (request, reply) => {
      if (config.webhookSecrets.length === 0) {
        throw new Refusal(
          'webhook_not_configured',
          'No signing secret is set (ATELIER_WEBHOOK_SECRETS): messages are not taken.',
        )
      }
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const headers = readHeaders(request.headers)
      verifySignature(config.webhookSecrets, headers, body)
      // An event without a time gets that of the header, which is in whole seconds. The end of the second is used: otherwise the
      // event could seem older than a decision that an admin made earlier in the same second.
      // Only members that are read are checked: a provider's customers may put anything into the others, and a message that is
      // refused for that would be refused at each repeat, so that a person who has left would keep their access.
      const event = readEvent(readTrustedJson(body), Number(headers.timestamp) * 1000 + 999)
      const applied = await database.tx(async (tx) => {
        const isNew = await claimMessage(tx, headers.id)
        afterCommit(tx, () => countWebhookMessage(isNew ? 'taken' : 'repeated'))
        if (!isNew) return null
        const applied = await applyEvent(tx, event, config)
        if (applied !== null) afterCommit(tx, auth.forget)
        return applied
      })
      if (applied !== null) logApplied(request.log, applied)
      return reply.status(204).send()
    },
  )
}

/** Logs what an operator can correct (our organization is not known, a role is not configured), and how the person changed. */
function logApplied(log: Pick<Log, 'info' | 'warn'>, { organization, isKnown, change }: Applied): void {
  if (organization !== null && !isKnown) {
    const named = organization === '' ? 'it names none' : `set ATELIER_ORGANIZATION=${organization} if it is this one`
    log.warn(
      { organization_id: organization },
      `a membership gives no role: which organization is ours is not known; ${named}`,
    )
  }
  if (change !== null) logChange(log, change)
}
