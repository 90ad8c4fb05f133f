// In charge of the routes at which a browser signs in, either by a link or by being redirected to the issuer and back.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { Refusal, refusals } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Rates } from '../../platform/http/rates.ts'
import { classify } from '../../platform/http/refuse.ts'
import { describePerson, personOf } from '../../platform/identities.ts'
import type { Services } from '../../platform/services.ts'
import { isFromOwnPage, isOnThisMachine } from './callers.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import { beginInstead } from './handover.ts'
import type { Failure, IssuerSignIn } from './issuer.ts'
import {
  confirmPage,
  deactivatedPage,
  elsewherePage,
  foreignPage,
  linkPage,
  noIssuerPage,
  sendPage,
  usedLinkPage,
} from './pages.ts'
import { findLink, findSession, hashOf, lockActive, useLink } from './store.ts'

const { signIn, signInByLink, signInCallback } = outsideRoutes

type Given = Services & { rates: Pick<Rates, 'signIn'> }

export function bindSignIn(server: FastifyInstance, services: Given, issuer: IssuerSignIn | null): void {
  const cookies = cookiesOf(services.config)
  const links = linkHandlers(services)
  const back = returner(services, issuer)

  server.get(signIn.path, { config: { routeId: 'signIn' } }, (request, reply) =>
    orPage(reply, async () => {
      const code = queryOf(request).get('code')
      if (code !== null) return links.open(request, reply, code)
      if (issuer === null) return sendPage(reply, linkPage)
      // The callback comes from the issuer's site, and browsers do not send the session's cookie with it. So the session that the
      // sign-in replaces has to be read here.
      const begun = await issuer.begin(formerOf(cookies, request))
      if ('page' in begun) return failed(request, reply, begun)
      return reply.header('set-cookie', cookies.signIn.write(begun.ticket)).redirect(begun.location)
    }),
  )
  // This route has a Fastify scope of its own, so that no other route accepts forms.
  server.register(async (scope) => {
    const text = { parseAs: 'string' } as const
    scope.addContentTypeParser('application/x-www-form-urlencoded', text, (_request, body, done) => done(null, body))
    scope.post(signInByLink.path, { bodyLimit: formBytes, config: { routeId: 'signInByLink' } }, (request, reply) =>
      orPage(reply, () => {
        services.rates.signIn(request.ip)
        const code = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('code')
        return links.use(request, reply, code ?? '')
      }),
    )
  })
  // HEAD requests are not handled, since this route changes data although its method is GET.
  const callback = { config: { routeId: 'signInCallback', writes: true }, exposeHeadRoute: false }
  server.get(signInCallback.path, callback, (request, reply) =>
    orPage(reply, () => {
      services.rates.signIn(request.ip)
      return back(request, reply)
    }),
  )
}

/** How many bytes the form of a sign-in link may have. */
const formBytes = 4096

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type LinkHandler = (request: FastifyRequest, reply: FastifyReply, code: string) => Promise<FastifyReply>

/**
 * Returns the handlers for sign-in links. `open` shows a page with a button, and does not use the link up, since programs that scan
 * messages open links too. `use` is called by the button, and signs the person in, once. If links work only on this machine, both
 * refuse callers on other machines.
 */
function linkHandlers({ database, config, auth }: Services): { open: LinkHandler; use: LinkHandler } {
  const cookies = cookiesOf(config)
  const trustsProxies = config.trustedProxies.length > 0
  const isElsewhere = (request: FastifyRequest): boolean =>
    config.signInLinks === 'loopback' && !isOnThisMachine(peerOf(request, trustsProxies))

  /**
   * Handles a link that is not valid any more: redirects a browser that is signed in, perhaps by this same link, to the app; other
   * browsers get a page that says so.
   */
  const notGood: Handler = async (request, reply) => {
    const secret = cookies.session(request.headers).read(request.headers.cookie)
    if (secret !== null && (await findSession(database.main, secret))) return reply.redirect('./')
    return sendPage(reply, usedLinkPage)
  }

  const open: LinkHandler = async (request, reply, code) => {
    if (isElsewhere(request)) return sendPage(reply, elsewherePage)
    const link = await findLink(database.main, code)
    if (link === null) return notGood(request, reply)
    return sendPage(reply, link.active ? confirmPage(link.name, code) : deactivatedPage)
  }
  const use: LinkHandler = async (request, reply, code) => {
    if (isElsewhere(request)) return sendPage(reply, elsewherePage)
    const { origin, host, 'sec-fetch-site': site } = request.headers
    // Without this check, a page of another site could sign the person in as somebody else.
    if (!isFromOwnPage({ origin, host, fetchSite: site?.toString() }, config.publicUrl)) {
      return sendPage(reply, foreignPage)
    }
    const opened = await database.tx(async (tx) => {
      const person = await useLink(tx, code)
      if (!person?.active) return person
      const former = formerOf(cookies, request)
      const secret = await beginInstead(tx, auth, person.userId, former === null ? [] : [former])
      return { ...person, secret }
    })
    if (opened === null) return notGood(request, reply)
    if (!('secret' in opened)) return sendPage(reply, deactivatedPage)
    request.log.info({ user_id: opened.userId }, 'signed in by a link')
    return reply.header('set-cookie', cookies.session(request.headers).write(opened.secret)).redirect('./')
  }
  return { open, use }
}

/** Returns the handler of the callback route, to which the issuer redirects browsers after a sign-in there. */
function returner({ database, config, auth }: Services, issuer: IssuerSignIn | null): Handler {
  const cookies = cookiesOf(config)

  return async (request, reply) => {
    if (issuer === null || config.oauthIssuer === null) return sendPage(reply, noIssuerPage)
    const outcome = await issuer.finish(queryOf(request), cookies.signIn.read(request.headers.cookie))
    if ('page' in outcome) return failed(request, reply, outcome)
    if (outcome.why !== undefined) request.log.warn({ why: outcome.why }, 'the issuer did not tell a name')
    const identity = { issuer: config.oauthIssuer, subject: outcome.subject }
    const person = await personOf(database, identity.issuer, identity.subject)
    const secret = await database.tx(async (tx) => {
      if (!(await lockActive(tx, person.id))) return null
      await describePerson(tx, person.id, identity, outcome.profile)
      const former = [outcome.former, formerOf(cookies, request)].filter((hash) => hash !== null)
      return beginInstead(tx, auth, person.id, former)
    })
    if (secret === null) return sendPage(reply, deactivatedPage)
    request.log.info({ user_id: person.id }, 'signed in at the issuer')
    // The ticket is cleared only here, after a success: a wrong callback must not break a sign-in that another tab has begun.
    const session = cookies.session(request.headers).write(secret)
    return reply.header('set-cookie', [cookies.signIn.clear(), session]).redirect('../')
  }
}

/** Returns the hash of the session whose cookie the browser has sent; null if it has sent none. */
function formerOf(cookies: Cookies, { headers }: FastifyRequest): Buffer | null {
  const secret = cookies.session(headers).read(headers.cookie)
  return secret === null ? null : hashOf(secret)
}

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'))

const peerOf = ({ ip, headers, socket }: FastifyRequest, trustsProxies: boolean) => ({
  ip,
  localAddress: socket.localAddress,
  forwarded: ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((name) => name in headers),
  trustsProxies,
})

function failed(request: FastifyRequest, reply: FastifyReply, { page, why }: Failure): FastifyReply {
  if (why !== undefined) request.log.warn({ why }, 'a sign-in at the issuer failed')
  if (page.status === 503) reply.header('retry-after', '5')
  return sendPage(reply, page)
}

/** Calls `work`, and shows refusals that it throws as a page instead of JSON, since a person at a browser reads them. */
async function orPage(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  try {
    return await work()
  } catch (error) {
    const refusal = classify(error)
    if (!(refusal instanceof Refusal)) throw error
    reply.header('retry-after', String(refusal.members.retry_after ?? 5))
    const { status } = refusals[refusal.code]
    return sendPage(reply, {
      status: status === 429 ? 429 : 503,
      title: 'Not just now',
      text: refusal.message,
      again: true,
    })
  }
}
