// In charge of a real authorization server for tests: oidc-provider on a free port, and tokens it would not issue.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export type Issuer = {
  url: string
  /** An access token by the client credentials grant, as the server issues it. */
  token(options?: { scope?: string; resource?: string }): Promise<string>
  /** A token signed with the server's own key, with claims and header as a test wants them. */
  forge(
    claims?: { [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined },
    header?: Record<string, unknown>,
  ): Promise<string>
  /** The public key as PEM-less bytes: what a confused verifier would take for a shared secret. */
  publicKeyText: string
  stop(): Promise<void>
  start(): Promise<void>
}

export const audience = 'https://atelier.example'
const client = { client_id: 'app', client_secret: 'a-secret-of-the-test' }

export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  let server: Server = createServer()
  await listen(server, 0)
  const port = (server.address() as AddressInfo).port // a TCP server's address is one
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    jwks: { keys: [jwk] },
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    scopes: ['read', 'tasks:write', 'creatives:lookup', 'admin'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'read tasks:write creatives:lookup admin',
          audience: resource,
          accessTokenTTL: 3600,
          accessTokenFormat: 'jwt' as const,
        }),
      },
    },
  })
  server.on('request', provider.callback())

  const issuer: Issuer = {
    url,
    publicKeyText: JSON.stringify(await exportJWK(publicKey)),
    async token({ scope = 'read tasks:write', resource = audience } = {}) {
      const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
      const answer = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      })
      const body: unknown = await answer.json()
      if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token)
      throw new Error(JSON.stringify(body))
    },
    async forge(claims = {}, header = {}) {
      const seconds = Math.floor(Date.now() / 1000)
      const whole = {
        ...{ iss: url, aud: audience, sub: 'somebody', client_id: 'app', jti: 'one', scope: 'read tasks:write' },
        ...{ iat: seconds, exp: seconds + 600 },
        ...claims,
      }
      return new SignJWT(JSON.parse(JSON.stringify(whole)))
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'first', ...header })
        .sign(privateKey)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async start() {
      server = createServer(provider.callback())
      await listen(server, port)
    },
  }
  return issuer
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
