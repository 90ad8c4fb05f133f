// Facts about the session of a page.
import { afterEach, expect, test, vi } from 'vitest'
import { signOut } from './session.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Lets the service answer with these statuses in turn; a token is for the person with the given id. Returns the requests made. */
function answers(...statuses: (number | { tokenFor: string })[]): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    asked.push(`${method} ${address}`)
    const next = statuses.shift()
    if (typeof next !== 'object') return new Response(next === 401 ? notSignedIn : null, { status: next ?? 500 })
    return Response.json({ token: 'a token', expires_in: 600, user_id: next.tokenFor })
  })
  return asked
}
const notSignedIn = JSON.stringify({ status: 401, code: 'not_signed_in', detail: 'This browser is not signed in.' })

test('a sign-out that the service does not answer as done is an error', async () => {
  answers({ tokenFor: 'ada' }, 503, { tokenFor: 'ada' }, 204)
  await expect(signOut()).rejects.toMatchObject({ status: 503 })
  await expect(signOut()).resolves.toBeUndefined()
})

test('who is no longer signed in can sign out', async () => {
  answers(401, 204)
  await expect(signOut()).resolves.toBeUndefined()
})

test('a page does not end the session of somebody who has signed in later', async () => {
  const asked = answers({ tokenFor: 'grace' }, 204)
  await expect(signOut()).rejects.toThrow('Somebody else has signed in')
  expect(asked).toEqual(['POST /session/token'])
})
