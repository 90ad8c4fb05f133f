// In charge of the HTTP face of the identity provider's webhook: signature first, then shape, then effect, all or nothing.
import { Refusal } from '@atelier/contract/errors.ts'
import { outsideRoutes } from '@atelier/contract/outside-routes.ts'
import type { FastifyInstance } from 'fastify'
import { parseJsonBody } from '../../platform/json-body.ts'
import type { Services } from '../../platform/services.ts'
import { readEvent } from './events.ts'
import { readHeaders, verifySignature } from './signature.ts'
import { applyEvent, claimMessage } from './store.ts'

export function bindWebhooks(server: FastifyInstance, { database, config }: Services): void {
  // Not through the contract's parser: an unsigned body must not be read, however it is shaped.
  server.post(
    outsideRoutes.identityWebhook.path,
    { config: { routeId: 'identityWebhook' } },
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
      const event = readEvent(parseJsonBody(body))
      await database.tx(async (tx) => {
        if (await claimMessage(tx, headers.id)) await applyEvent(tx, event)
      })
      return reply.status(204).send()
    },
  )
}
