// In charge of a real authorization server for tests: oidc-provider on a free port, users who sign in there, and forged tokens
// that it would not issue.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

type Claims = { [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined }

export type Issuer = {
  url: string
  /** An access token that the server issues by the client credentials grant. */
  token(options?: { scope?: string; resource?: string }): Promise<string>
  /** Signs a token with arbitrary claims, with a key of the server: the first one, unless `header.kid` names another. */
  forge(claims?: Claims, header?: Record<string, unknown>): Promise<string>
  /** The first public key as JSON text; a faulty verifier might take this text for a shared secret. */
  publicKeyText: string
  /** Publishes one more key; `removeKey` stops publishing a key. */
  addKey(kid: string): Promise<void>
  removeKey(kid: string): void
  /** From now on the server signs with a new key and publishes only that key, as an issuer does whose key has leaked. */
  rotate(kid: string): Promise<void>
  /** Opens `location` like a browser, and signs in as `login`; null: aborts. Returns the URL to which the server sends it back. */
  visit(location: string, login: string | null): Promise<string>
  /** From now on requests for this path get a 500; null: no path fails any more. */
  fail(path: string | null): void
  stop(): Promise<void>
  start(): Promise<void>
}

export const audience = 'https://atelier.example'
export const redirectUri = `${audience}/sign-in/callback`
const client = { client_id: 'app', client_secret: 'a-secret-of-the-test' }
/** Clients that browsers sign in with: one with a secret, and one without. */
export const browserClient = { client_id: 'browser', client_secret: 'another-secret-of-the-test' }
export const publicClient = { client_id: 'public' }

const browserGrant = {
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code'],
  response_types: ['code' as const],
}
const apiScopes = 'read tasks:write creatives:lookup admin'

/** `claimsInIdToken`: ID tokens contain names too, not only the response of the userinfo endpoint. */
const configuration = (keys: JWK[], claimsInIdToken: boolean): Configuration => ({
  jwks: { keys },
  clients: [
    { ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    { ...browserClient, ...browserGrant },
    { ...publicClient, ...browserGrant, token_endpoint_auth_method: 'none' },
  ],
  scopes: ['openid', ...apiScopes.split(' ')],
  claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: !claimsInIdToken,
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => claimsOf(sub),
  }),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx) => (ctx.oidc.client?.clientId === client.client_id ? audience : []),
      getResourceServerInfo: (_ctx, resource) => ({
        scope: apiScopes,
        audience: resource,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt' as const,
      }),
    },
  },
})

const claimsOf = (sub: string) =>
  sub === 'hostile'
    ? {
        sub,
        name: ' Ev\u0000il\n\ud800 ',
        email: 'not@hers.example',
        email_verified: false,
        picture: 'javascript:alert(1)',
      }
    : { sub, name: `${sub} of the issuer`, email: `${sub}@example.com`, email_verified: true }

export async function startIssuer({ claimsInIdToken = false } = {}): Promise<Issuer> {
  const first = await makeKey('first')
  const keys = new Map([['first', first]])
  let server: Server = createServer()
  await listen(server, 0)
  const port = (server.address() as AddressInfo).port // a TCP server's address is an AddressInfo
  const url = `http://127.0.0.1:${port}`
  let provider = new Provider(url, configuration([first.jwk], claimsInIdToken)).callback()
  let failing: string | null = null
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === failing) return void response.writeHead(500).end()
    // The test server publishes the keys itself, since the provider only knows the keys it was created with.
    if (request.url !== '/jwks') return void provider(request, response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published([...keys.values()]) }))
  }
  server.on('request', answer)

  return {
    url,
    publicKeyText: JSON.stringify(first.publicJwk),
    async token({ scope = 'read tasks:write', resource = audience } = {}) {
      const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
      const told = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      })
      const body: unknown = await told.json()
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
        .sign((keys.get(String(header.kid)) ?? first).privateKey)
    },
    addKey: async (kid) => void keys.set(kid, await makeKey(kid)),
    removeKey: (kid) => void keys.delete(kid),
    async rotate(kid) {
      const next = await makeKey(kid)
      provider = new Provider(url, configuration([next.jwk], claimsInIdToken)).callback()
      keys.clear()
      keys.set(kid, next)
    },
    visit: (location, login) => visit(url, location, login),
    fail: (path) => {
      failing = path
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async start() {
      server = createServer(answer)
      await listen(server, port)
    },
  }
}

type Key = Awaited<ReturnType<typeof makeKey>>
async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const named = { kid, alg: 'RS256', use: 'sig' }
  const publicJwk = await exportJWK(publicKey)
  return {
    privateKey,
    publicJwk,
    published: { ...publicJwk, ...named },
    jwk: { ...(await exportJWK(privateKey)), ...named },
  }
}
const published = (keys: Key[]) => keys.map((key) => key.published)

/** Follows redirects and submits forms as long as the pages are the server's; returns the first URL that is not. */
async function visit(url: string, location: string, login: string | null): Promise<string> {
  const jar = new Map<string, string>()
  const ask = async (address: string, form?: Record<string, string>): Promise<string> => {
    if (!address.startsWith(url)) return address
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const body = form ? new URLSearchParams(form) : null
    const answer = await fetch(address, {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      body,
      redirect: 'manual',
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const text = await answer.text()
    const next = answer.headers.get('location')
    if (next !== null) return ask(new URL(next, url).href)
    const [, action, prompt = ''] = /<form[^>]* action="([^"]+)"[\s\S]*?name="prompt" value="(\w+)"/.exec(text) ?? []
    if (action === undefined) throw new Error(`The issuer answered ${answer.status}: ${text}`)
    if (login === null) return ask(`${new URL(action, url).href}/abort`)
    return ask(new URL(action, url).href, { prompt, login, password: 'any' })
  }
  return ask(location)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
