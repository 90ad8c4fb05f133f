// In charge of the bearer token for API calls: requested with the session cookie, kept in memory, renewed before it expires. All
// tokens of a page are for the same person: if somebody else signs in in this browser, the page gets no more tokens.
import { CallError, refused } from '@atelier/contract/wire/calls.ts'
import { createStore, useStore } from './store.ts'
import { setByService } from './use-now.ts'

type Held = { token: string; renewAt: number }
let held: Held | null = null
let fetching: Promise<Held> | null = null
/** When the page first asked for a token, by `performance.now()`. */
let firstAsked: number | null = null
/** The person who uses this page: whom its first token was for. */
let userId: string | null = null
const replaced = createStore(false)

/** The id of the person who uses this page; null if the page has not had a token yet, as on the page for guests. */
export const pageUserId = (): string | null => userId

/** Whether somebody else has signed in in this browser since the page was loaded. The page then has to be loaded again. */
export const useIsReplaced = (): boolean => useStore(replaced, (value) => value)

/** A token is renewed a minute before it expires, so that requests in progress can finish with the old one. */
const marginMs = 60_000

/**
 * Returns a valid token. Throws a `CallError` with the code `not_signed_in` if there is no session, and another error if the
 * session is that of somebody else.
 */
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

let whenSignedOut = (): void => {}

/** Sets what is called whenever the service answers that this browser has no session. */
export function onSignedOut(act: () => void): void {
  whenSignedOut = act
}

/** Forgets the token, because the service has refused it or the user signs out. */
export function dropBearer(): void {
  held = null
}

async function fetchToken(): Promise<Held> {
  if (replaced.get()) throw somebodyElse()
  const answer = await fetch('/session/token', { method: 'POST' })
  setByService(answer.headers.get('date'))
  const text = await answer.text()
  if (answer.status === 401) whenSignedOut()
  if (!answer.ok) throw refused(answer.status, text)
  // A process of the version before does not say whom the token is for.
  const told: { token: string; expires_in: number; user_id?: string } = JSON.parse(text)
  userId ??= told.user_id ?? null
  // With this token, the page would do in the name of the other person what its own user has begun.
  if (told.user_id !== undefined && told.user_id !== userId) {
    replaced.set(true)
    throw somebodyElse()
  }
  return { token: told.token, renewAt: Date.now() + Math.max(5_000, told.expires_in * 1000 - marginMs) }
}

const somebodyElse = () =>
  new Error('Somebody else has signed in in this browser, so this was not done. Load the page again.')

/** Works like `fetch`, but if the service no longer accepts the token, repeats the request once with a new token. */
export const sendSignedIn: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  if (answer.status !== 401) return answer
  dropBearer()
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${await bearer()}`)
  return fetch(input, { ...init, headers })
}

/** How users sign in to an installation: by links alone, or also with an identity provider. */
export type SignInMethod = 'link' | 'issuer'
type SignIn = { signed_in: boolean; method: SignInMethod; sign_in_path: string; issuer: string | null }

/** Reads whether the user is signed in, and how users sign in to this installation. */
export async function readSignIn(): Promise<SignIn> {
  const answer = await fetch('/session')
  const text = await answer.text()
  if (!answer.ok) throw refused(answer.status, text)
  return JSON.parse(text)
}

/** Ends the session of this page's user. If somebody else has signed in in this browser, theirs must not end: that is an error. */
export async function signOut(): Promise<void> {
  dropBearer()
  await bearer().catch((error: unknown) => {
    if (!isNotSignedIn(error)) throw error
  })
  dropBearer()
  const answer = await fetch('/session', { method: 'DELETE' })
  if (!answer.ok) throw refused(answer.status, await answer.text())
}

export const isNotSignedIn = (error: unknown): boolean => error instanceof CallError && error.status === 401
