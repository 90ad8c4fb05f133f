// In charge of serving the OAuth metadata (RFC 9728): where clients get access tokens, and which audience a token must name.
import { scopes } from '@atelier/contract/enums.ts'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** Returns the issuer and audience of the access tokens that this server accepts; null if it accepts no access tokens. */
export function oauthResource(config: Config): { issuer: string; audience: string } | null {
  const audience = config.oauthAudience ?? config.publicUrl
  return config.oauthIssuer === null || audience === null ? null : { issuer: config.oauthIssuer, audience }
}

/** Returns the URL of the metadata, or only its path if the service's public URL is not set. */
export const metadataUrl = (config: Config): string =>
  `${config.publicUrl ?? ''}${outsideRoutes.protectedResource.path}`

export function bindOauthMetadata(server: FastifyInstance, config: Config): void {
  const resource = oauthResource(config)
  server.get(outsideRoutes.protectedResource.path, { config: { routeId: 'protectedResource' } }, async () => {
    if (!resource)
      throw new Refusal('route_not_found', 'No issuer of access tokens is set here (ATELIER_OAUTH_ISSUER).')
    return {
      resource: resource.audience,
      authorization_servers: [resource.issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Atelier',
    }
  })
}
