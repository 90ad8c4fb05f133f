// In charge of a service that learns of users in two ways: from access tokens of an issuer, and from the provider's webhooks.
import { type Service, startService } from './harness.ts'
import { audience, type Issuer, startIssuer } from './issuer.ts'
import { ourOrganization, webhookSecret } from './provider.ts'

export async function startWithBothDoors(): Promise<{ issuer: Issuer; service: Service; close(): Promise<void> }> {
  const issuer = await startIssuer()
  const service = await startService({
    ...{ ATELIER_OAUTH_ISSUER: issuer.url, ATELIER_OAUTH_AUDIENCE: audience },
    ...{ ATELIER_WEBHOOK_SECRETS: webhookSecret, ATELIER_ORGANIZATION: ourOrganization },
  })
  return {
    ...{ issuer, service },
    async close() {
      await service.close()
      await issuer.stop()
    },
  }
}
