// In charge of checking OAuth 2.0 access tokens (JWTs as in RFC 9068) against the keys that their issuer publishes.
import { scopes as knownScopes, type Scope } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from './clock.ts'
import { isSubject } from './subject.ts'

/** The content of a verified token. `madeAt` (when it was issued) and `end` (when it expires) are in ms since the epoch. */
export type AccessToken = { issuer: string; subject: string; scopes: Scope[]; madeAt: number; end: number }

export type AccessTokens = { verify(token: string): Promise<AccessToken> }

/**
 * The accepted signature algorithms: only those with a private key. If a shared-secret algorithm were accepted, an attacker could
 * sign a token with the issuer's public key as the shared secret (RFC 8725 §2.1).
 */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 5
const fetchTimeoutMs = 5_000
/** Tokens with unknown key ids cause at most one request to the issuer in this time; so invented ids cannot overload the issuer. */
const cooldownMs = 30_000

/**
 * Whether a token looks like a JWT: three base64url parts joined by dots, of which the first one encodes a JSON object. Only such
 * tokens are checked with the issuer's keys. The JSON is checked too, because a token that an operator has chosen may contain dots.
 */
export function looksLikeJwt(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return false
  try {
    decodeProtectedHeader(token)
    return true
  } catch {
    return false
  }
}

export function createAccessTokens(issuer: string, audience: string, clock: Clock): AccessTokens {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | null = null
  const issuerKeys = () => {
    keys ??= findKeys(issuer).catch((error: unknown) => {
      keys = null // so that the next token causes another attempt instead of the same error
      throw error
    })
    return keys
  }
  return {
    async verify(token) {
      const payload = await verified(token)
      const accessToken = toAccessToken(issuer, payload)
      if (accessToken === null)
        throw new Refusal('invalid_token', 'The access token names no subject that could be one.')
      return accessToken
    },
  }

  async function verified(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, await issuerKeys(), {
        issuer,
        audience,
        typ: 'at+jwt',
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      throw refusalFor(error)
    }
  }
}

/** Returns null if the subject is invalid; the JWT library only checks that the token has a subject. */
function toAccessToken(issuer: string, { sub, scope, iat = 0, exp = 0 }: JWTPayload): AccessToken | null {
  if (!isSubject(sub)) return null
  const granted = typeof scope === 'string' ? scope.split(' ') : []
  const scopes = knownScopes.filter((known) => granted.includes(known))
  return { issuer, subject: sub, scopes, madeAt: iat * 1000, end: exp * 1000 }
}

/** Finds the issuer's key set through the issuer's metadata: at the location of RFC 8414, or else at that of OpenID Connect. */
async function findKeys(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  const url = new URL(issuer)
  const path = url.pathname.replace(/\/$/, '')
  const places = [
    new URL(`/.well-known/oauth-authorization-server${path}`, url),
    new URL(`${path}/.well-known/openid-configuration`, url),
  ]
  for (const place of places) {
    const answer = await fetch(place, { signal: AbortSignal.timeout(fetchTimeoutMs), redirect: 'error' })
    if (!answer.ok) continue
    const metadata: unknown = await answer.json()
    const jwksUri = jwksUriOf(metadata, issuer)
    return createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: fetchTimeoutMs, cooldownDuration: cooldownMs })
  }
  throw new Error(`The issuer ${issuer} publishes no metadata.`)
}

function jwksUriOf(metadata: unknown, issuer: string): string {
  if (typeof metadata === 'object' && metadata !== null && 'issuer' in metadata && 'jwks_uri' in metadata) {
    // Metadata that names another issuer is not accepted (RFC 8414 §3.3).
    if (metadata.issuer === issuer && typeof metadata.jwks_uri === 'string') return metadata.jwks_uri
  }
  throw new Error(`The metadata of ${issuer} names another issuer, or no keys.`)
}

/** Returns a 401 if the token is invalid; a 503 if the issuer's keys cannot be fetched or used, which is not the caller's fault. */
function refusalFor(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return new Refusal('invalid_token', 'The access token has expired.')
  const ofToken =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  if (ofToken) return new Refusal('invalid_token', `The access token is not good here: ${error.message}.`)
  return new Refusal('issuer_unavailable', 'The issuer of access tokens cannot be asked just now. Try again shortly.')
}
