// In charge of signing people in at the issuer, with authorization code and PKCE, by the library openid-client. The server stores
// nothing between the two steps: the browser keeps a ticket (a time, a random value, and the session that the sign-in replaces),
// from which state, nonce and PKCE verifier are derived with a key that all processes share. So these values work only in this
// browser, and only for ten minutes.

import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { oneLine } from '@atelier/contract/one-line.ts'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import * as oidc from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Profile } from '../../platform/identities.ts'
import { emailOf, pictureOf } from '../../platform/profile-text.ts'
import { isSubject } from '../../platform/subject.ts'
import { signInSeconds } from './cookies.ts'
import { declinedPage, issuerDownPage, issuerWrongPage, type Page, strayedPage } from './pages.ts'

export type IssuerClient = { issuer: string; clientId: string; clientSecret: string | null; redirectUri: string }

/**
 * A failed sign-in: the page to show, and a sentence for the log (`why`, absent if nothing is logged). The error itself is never
 * logged, since it contains claims and codes.
 */
export type Failure = { page: Page; why?: string }
/**
 * A person as the issuer describes them, or a failure. `why`: why the person's name could not be requested; absent if nothing
 * failed. `former`: the hash of the session that the browser had when the sign-in began; null if it had none.
 */
type Outcome = { subject: string; profile: Profile; why?: string; former: Buffer | null } | Failure

export type IssuerSignIn = {
  /**
   * Begins a sign-in: returns the address to redirect the browser to, and the ticket that the browser has to keep. `former`: the
   * hash of the browser's session; null if it has none.
   */
  begin(former: Buffer | null): Promise<{ location: string; ticket: string } | Failure>
  /** Completes a sign-in from the parameters that the issuer added to the callback address, and from the browser's ticket. */
  finish(answer: URLSearchParams, ticket: string | null): Promise<Outcome>
}

const timeoutSeconds = 5

/** Returns how this service is registered at the issuer; null if people do not sign in at an issuer. */
export function issuerClientOf({
  oauthIssuer,
  oauthClientId,
  oauthClientSecret,
  publicUrl,
}: Config): IssuerClient | null {
  if (oauthIssuer === null || oauthClientId === null || publicUrl === null) return null
  const redirectUri = `${publicUrl}${outsideRoutes.signInCallback.path}`
  return { issuer: oauthIssuer, clientId: oauthClientId, clientSecret: oauthClientSecret, redirectUri }
}

export function createIssuerSignIn(client: IssuerClient, secret: Buffer, clock: Clock): IssuerSignIn {
  const key = createSecretKey(secret)
  const derive = (ticket: string, purpose: string) =>
    createHmac('sha256', key).update(`sign-in/v1/${purpose}/${ticket}`).digest('base64url')
  let found: Promise<oidc.Configuration> | null = null
  const configuration = () => {
    found ??= discover(client).catch((error: unknown) => {
      found = null // so that the next sign-in tries again
      throw error
    })
    return found
  }

  return {
    async begin(former) {
      const made = `${Math.floor(clock.now() / 1000)}.${randomBytes(32).toString('base64url')}`
      const ticket = former === null ? made : `${made}.${former.toString('base64url')}`
      try {
        const location = oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: client.redirectUri,
          scope: 'openid profile email',
          state: derive(ticket, 'state'),
          nonce: derive(ticket, 'nonce'),
          code_challenge: await oidc.calculatePKCECodeChallenge(derive(ticket, 'verifier')),
          code_challenge_method: 'S256',
        })
        return { location: location.href, ticket }
      } catch (error) {
        return failureOf(error)
      }
    },
    async finish(answer, ticket) {
      if (ticket === null || !isFresh(ticket, clock.now())) return { page: strayedPage }
      const state = derive(ticket, 'state')
      if (!isEqual(answer.getAll('state').join(), state)) return { page: strayedPage }
      try {
        const config = await configuration()
        const url = new URL(`${client.redirectUri}?${answer}`)
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: derive(ticket, 'nonce'),
          pkceCodeVerifier: derive(ticket, 'verifier'),
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('The issuer answered without an ID token.')
        if (!isSubject(claims.sub))
          return { page: issuerWrongPage, why: 'the subject is no text of at most 255 characters' }
        const named = await nameOf(config, tokens.access_token, claims)
        return { subject: claims.sub, ...named, former: formerOf(ticket) }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

function discover({ issuer, clientId, clientSecret }: IssuerClient): Promise<oidc.Configuration> {
  const isPlain = issuer.startsWith('http:')
  return oidc.discovery(new URL(issuer), clientId, {}, clientSecret === null ? oidc.None() : bySecret(clientSecret), {
    timeout: timeoutSeconds,
    // The library refuses an issuer without TLS, but for development an operator may set an `http:` address.
    execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
  })
}

/** Sends the client secret in a header, which is the default; in the body only if the issuer does not accept the header. */
const bySecret =
  (secret: string): oidc.ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inBody = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    return (inBody ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret))(server, ...rest)
  }

/** A ticket: its time, its random value, and the hash of a session if the browser had one. */
const ticketForm = /^(\d{1,12})\.[\w-]{43}(?:\.([\w-]{43}))?$/

/**
 * Whether a ticket was made at most `signInSeconds` ago, or up to a minute in the future, since clocks of processes differ. A
 * browser cannot change the time or the session in its ticket: `state` is derived from the whole ticket, and would no longer fit.
 */
function isFresh(ticket: string, now: number): boolean {
  const age = now / 1000 - Number(ticketForm.exec(ticket)?.[1] ?? 0)
  return age > -60 && age < signInSeconds
}

function formerOf(ticket: string): Buffer | null {
  const hash = ticketForm.exec(ticket)?.[2]
  return hash === undefined ? null : Buffer.from(hash, 'base64url')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Reads the person's profile from the ID token. Many issuers leave the name out of ID tokens; the profile is then requested from
 * the issuer's userinfo endpoint. If that fails, the person is signed in without a name.
 */
async function nameOf(
  config: oidc.Configuration,
  accessToken: string,
  claims: oidc.IDToken,
): Promise<{ profile: Profile; why?: string }> {
  const profile = profileOf(claims)
  if (profile.name !== null || config.serverMetadata().userinfo_endpoint === undefined) return { profile }
  try {
    return { profile: profileOf(await oidc.fetchUserInfo(config, accessToken, claims.sub)) }
  } catch (error) {
    return { profile, why: wordsOf(error) }
  }
}

function profileOf(claims: Record<string, unknown>): Profile {
  return {
    name: lineOf(claims.name),
    email: claims.email_verified === false ? null : emailOf(claims.email),
    imageUrl: pictureOf(claims.picture),
  }
}

/**
 * Turns text from the issuer into one line that the database accepts; null if it is no text, empty, or longer than 255 characters.
 */
function lineOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const line = oneLine(value.toWellFormed())
  return line === '' || line.length > 255 ? null : line
}

/** Returns the page for an error that the issuer, or the connection to the issuer, has caused. Throws every other error again. */
function failureOf(error: unknown): Failure {
  const why = wordsOf(error)
  if (error instanceof oidc.AuthorizationResponseError) return { page: declinedPage(error.error), why }
  // The authorization code was used or has expired: the sign-in was completed in another tab, or the issuer's page was open too
  // long.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return { page: strayedPage, why }
  if (isAway(error)) return { page: issuerDownPage, why }
  const isTheirs = [oidc.ClientError, oidc.ResponseBodyError, oidc.WWWAuthenticateChallengeError, TypeError]
  if (isTheirs.some((kind) => error instanceof kind)) return { page: issuerWrongPage, why }
  throw error
}

function isAway(error: unknown): boolean {
  if (error instanceof TypeError) return error.message === 'fetch failed'
  if (!(error instanceof oidc.ClientError)) return false
  return error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500)
}

/** Joins the messages of an error and of its causes, with the issuer's error codes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error'
  return `${error.message}${codeOf(error)}${error.cause instanceof Error ? `: ${wordsOf(error.cause)}` : ''}`
}

function codeOf(error: Error): string {
  if (error instanceof oidc.ResponseBodyError) return ` (${error.status} ${error.error})`
  if (!(error instanceof oidc.WWWAuthenticateChallengeError)) return ''
  return ` (${error.status} ${error.cause.map(({ parameters }) => parameters.error).join()})`
}
