// In charge of the bearer token for API calls: requested with the session cookie, kept in memory, renewed before it expires.
import { CallError, refused } from '@atelier/contract/wire/calls.ts'

type Held = { token: string; renewAt: number }
let held: Held | null = null
let fetching: Promise<Held> | null = null
/** When the page first asked for a token, by `performance.now()`. */
let firstAsked: number | null = null

/** A token is renewed a minute before it expires, so that requests in progress can finish with the old one. */
const marginMs = 60_000

/** Returns a valid token. Throws a `CallError` with the code `not_signed_in` if there is no session. */
export const bearer = async (): Promise<string> => (await renewedBearer()).token

/** Returns a valid token and `renewAt`: at this time (in ms since 1970), a connection that stays open must get a new token. */
export async function renewedBearer(): Promise<Held> {
  if (held && Date.now() < held.renewAt) return held
  firstAsked ??= performance.now()
  fetching ??= fetchToken().finally(() => {
    fetching = null
  })
  held = await fetching
  return held
}

/**
 * An upper limit for the age of the records that the page shows, in ms. It counts from the request for the first token, but all
 * records are read after the response to that request. This margin of a round trip covers the time in which the age is sent.
 */
export const greatestAge = (): number => (firstAsked === null ? 0 : performance.now() - firstAsked)

/** Forgets the token, because the service has refused it or the user signs out. */
export function dropBearer(): void {
  held = null
}

async function fetchToken(): Promise<Held> {
  const answer = await fetch('/session/token', { method: 'POST' })
  const text = await answer.text()
  if (!answer.ok) throw refused(answer.status, text)
  const told: { token: string; expires_in: number } = JSON.parse(text)
  return { token: told.token, renewAt: Date.now() + Math.max(5_000, told.expires_in * 1000 - marginMs) }
}

/** Works like `fetch`, but if the service no longer accepts the token, repeats the request once with a new token. */
export const sendSignedIn: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  if (answer.status !== 401) return answer
  dropBearer()
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${await bearer()}`)
  return fetch(input, { ...init, headers })
}

type SignIn = { signed_in: boolean; method: 'link' | 'issuer'; sign_in_path: string; issuer: string | null }

/** Reads whether the user is signed in, and how users sign in to this installation. */
export async function readSignIn(): Promise<SignIn> {
  const answer = await fetch('/session')
  const text = await answer.text()
  if (!answer.ok) throw refused(answer.status, text)
  return JSON.parse(text)
}

export async function signOut(): Promise<void> {
  dropBearer()
  await fetch('/session', { method: 'DELETE' })
}

export const isNotSignedIn = (error: unknown): boolean => error instanceof CallError && error.status === 401
