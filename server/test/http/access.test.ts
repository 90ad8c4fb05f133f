// Facts about access: every route is called by every kind of caller, and the result must match the access in the contract.
import { roleScopes, type Scope, scopes } from '@atelier/contract/enums.ts'
import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { type Reply, type Service, startService } from '../support/harness.ts'
import { audience, type Issuer, startIssuer } from '../support/issuer.ts'

type Caller = { token: string | null; may: readonly (Scope | 'guest')[] | 'nothing'; headers?: Record<string, string> }

let issuer: Issuer
let service: Service
const callers = new Map<string, Caller>()

beforeAll(async () => {
  issuer = await startIssuer()
  service = await startService({ ATELIER_OAUTH_ISSUER: issuer.url, ATELIER_OAUTH_AUDIENCE: audience })
  callers.set('nobody', { token: null, may: 'nothing' })
  callers.set('an unknown token', { token: `atl_${'x'.repeat(43)}`, may: 'nothing' })
  callers.set('an access token for another audience', {
    token: await issuer.forge({ aud: 'https://elsewhere.example' }),
    may: 'nothing',
  })
  callers.set('an expired access token', { token: await issuer.forge({ exp: 1_600_000_000 }), may: 'nothing' })

  const revoked = await service.integration(scopes)
  await service.rows('update tokens set revoked_at = now() where hint = $1', [revoked.token.slice(-4)])
  callers.set('a revoked token', { token: revoked.token, may: 'nothing' })
  const expired = await service.integration(scopes)
  await service.rows(`update tokens set expires_at = now() - interval '1 second' where hint = $1`, [
    expired.token.slice(-4),
  ])
  callers.set('an expired token', { token: expired.token, may: 'nothing' })
  const former = await service.person('admin')
  await service.rows('update users set active = false where id = $1', [former.id])
  callers.set('a deactivated admin', { token: former.token, may: 'nothing' })

  for (const scope of scopes) {
    callers.set(`an integration with ${scope} alone`, {
      token: (await service.integration([scope])).token,
      may: [scope],
    })
  }
  for (const role of ['reader', 'writer', 'admin'] as const) {
    callers.set(`a ${role} with a token of every scope`, {
      token: (await service.person(role)).token,
      may: roleScopes[role],
    })
  }
  callers.set('an admin with a token that only reads', {
    token: (await service.person('admin', ['read'])).token,
    may: ['read'],
  })
  callers.set('a stranger with an access token of every scope', {
    token: await issuer.forge({ sub: 'stranger', scope: scopes.join(' ') }),
    may: roleScopes.reader,
  })
  await addSessions()
  const guest = await guestOf('The client')
  callers.set('a guest', { token: guest.token, may: ['guest'] })
  callers.set('whoever has a link for guests and said no name', { token: guest.secret, may: 'nothing' })
  const revokedGuest = await guestOf('A former client')
  await service.del(`/api/v1/guest-links/${revokedGuest.id}`)
  callers.set('a guest whose link was revoked', { token: revokedGuest.token, may: 'nothing' })
})
afterAll(async () => {
  await service.close()
  await issuer.stop()
})

async function guestOf(name: string): Promise<{ id: string; secret: string; token: string }> {
  const task = await service.post('/api/v1/tasks', { name: 'Shown to guests' })
  const link = await service.post(`/api/v1/tasks/${task.data.id}/guest-links`, { name })
  const secret: string = link.data.url.split('#')[1]
  const entered = await service.post('/api/v1/guest/enter', { link: secret, name: 'Grace' })
  return { id: link.data.id, secret, token: entered.data.token }
}

/** Adds signed-in browsers as callers: some send the token that the web app fetches, others only the session's cookie. */
async function addSessions(): Promise<void> {
  const signIn = async (id: string) => {
    const browser = openBrowser(service.app.server)
    const { data } = await service.post('/api/v1/sign-in-links', { user_id: id })
    await browser.follow(data.url.replace(/^http:\/\/[^/]+/, ''))
    return browser
  }
  for (const role of ['reader', 'writer', 'admin'] as const) {
    const browser = await signIn((await service.person(role)).id)
    callers.set(`the page of a signed-in ${role}`, { token: await browser.token(), may: roleScopes[role] })
  }
  const admin = await signIn(service.owner.id)
  const cookie = [...admin.jar].map((pair) => pair.join('=')).join('; ')
  const foreign = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  callers.set('a foreign page with an admin’s cookie', { token: null, may: 'nothing', headers: foreign })
  callers.set('a page of ours with the cookie alone', {
    token: null,
    may: 'nothing',
    headers: { cookie, origin: 'http://atelier.test', 'sec-fetch-site': 'same-origin' },
  })
  const out = await signIn(service.owner.id)
  callers.set('the page of one who signed out', { token: await out.token(), may: 'nothing' })
  await out.send('DELETE', '/session')
  service.clock.offset = -601_000
  callers.set('a page with an expired token', { token: await admin.token(), may: 'nothing' })
  service.clock.offset = 0
}

/** An id that no record has. It replaces every id in a path, so that even an allowed request finds nothing to change. */
const nothing = '00000000-0000-7000-8000-000000000000'

/** An event stream would not end, so its request gets an unknown parameter: a caller who has access then gets a 422 instead. */
const pathOf = ({ path, framing }: Route): string =>
  path.replaceAll(/\{\w+\}/g, nothing) + (framing === 'events' ? '?nothing=1' : '')

const call = (route: Route, { token, headers = {} }: Caller): Promise<Reply> =>
  service.ask(route.method, pathOf(route), {
    token,
    headers,
    ...(route.body ? { body: route.examples.body ?? {} } : {}),
  })

/** The status and error code with which the route refuses this caller; null if the caller may use the route. */
function refusalFor({ access }: Route, { token, may }: Caller): [status: number, code: string] | null {
  const isGuest = may !== 'nothing' && may.includes('guest')
  if (access === 'public') return null
  if (access === 'guest') return isGuest ? null : [401, 'invalid_guest_link']
  if (may === 'nothing' || isGuest) return [401, token === null ? 'unauthenticated' : 'invalid_token']
  return may.includes(access) ? null : [403, 'insufficient_scope']
}

describe.each(Object.values(routes).map((route: Route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    test('answers each kind of caller as the contract says', async () => {
      for (const [name, caller] of callers) {
        const refused = refusalFor(route, caller)
        const answer = await call(route, caller)
        if (refused) {
          const [status, code] = refused
          const seen = { caller: name, status: answer.status, code: answer.body?.code }
          expect(seen).toMatchObject({ caller: name, status, code })
          const challenge = status === 401 ? 'Bearer realm="atelier"' : `scope="${route.access}"`
          expect(answer.headers['www-authenticate']).toContain(challenge)
        } else {
          const others = route.access === 'public' ? [403, 500] : [401, 403, 500]
          expect(others, `${name} may call it, and got ${answer.text}`).not.toContain(answer.status)
        }
      }
    })
  },
)
