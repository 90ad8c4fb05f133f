// In charge of the addresses that browsers are sent to for signing in: by a link, or at the issuer and back.
import { Refusal } from '@atelier/contract/errors.ts'
import { outsideRoutes } from '@atelier/contract/outside-routes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { classify } from '../../platform/http/refuse.ts'
import { describePerson, personOf } from '../../platform/identities.ts'
import type { Services } from '../../platform/services.ts'
import { isOnThisMachine } from './callers.ts'
import { cookiesOf } from './cookies.ts'
import { beginInstead } from './handover.ts'
import type { Failure, IssuerSignIn } from './issuer.ts'
import { deactivatedPage, elsewherePage, linkPage, noIssuerPage, sendPage, usedLinkPage } from './pages.ts'
import { findSession, useLink } from './store.ts'

const { signIn, signInCallback } = outsideRoutes

export function bindSignIn(server: FastifyInstance, services: Services, issuer: IssuerSignIn | null): void {
  const cookies = cookiesOf(services.config)
  const byLink = linkOpener(services)
  const back = returner(services, issuer)

  server.get(signIn.path, browserRoute('signIn'), (request, reply) =>
    orPage(reply, async () => {
      const code = queryOf(request).get('code')
      if (code !== null) return byLink(request, reply, code)
      if (issuer === null) return sendPage(reply, linkPage)
      const begun = await issuer.begin()
      if ('page' in begun) return failed(request, reply, begun)
      return reply.header('set-cookie', cookies.signIn.write(begun.ticket)).redirect(begun.location)
    }),
  )
  server.get(signInCallback.path, browserRoute('signInCallback'), (request, reply) =>
    orPage(reply, () => back(request, reply)),
  )
}

/** Not for HEAD, which asks what a GET would answer: here a GET has an effect. */
const browserRoute = (routeId: string) => ({ config: { routeId, writes: true }, exposeHeadRoute: false })

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Opens a sign-in link: once, and on this machine unless links are taken from anywhere. */
function linkOpener({ database, config, auth }: Services) {
  const { session } = cookiesOf(config)
  const trustsProxies = config.trustedProxies.length > 0

  return async (request: FastifyRequest, reply: FastifyReply, code: string): Promise<FastifyReply> => {
    if (config.signInLinks === 'loopback' && !isOnThisMachine(peerOf(request, trustsProxies))) {
      return sendPage(reply, elsewherePage)
    }
    const former = session.read(request.headers.cookie)
    const opened = await database.tx(async (tx) => {
      const person = await useLink(tx, code)
      if (!person?.active) return person
      return { ...person, secret: await beginInstead(tx, auth, person.userId, former) }
    })
    if (opened !== null && 'secret' in opened) {
      request.log.info({ user_id: opened.userId }, 'signed in by a link')
      return reply.header('set-cookie', session.write(opened.secret)).redirect('./')
    }
    if (opened !== null) return sendPage(reply, deactivatedPage)
    // Opened twice: the browser that the first opening signed in goes on.
    if (former !== null && (await findSession(database.main, former))) return reply.redirect('./')
    return sendPage(reply, usedLinkPage)
  }
}

/** Takes up a browser that the issuer sends back. */
function returner({ database, config, auth }: Services, issuer: IssuerSignIn | null): Handler {
  const cookies = cookiesOf(config)

  return async (request, reply) => {
    if (issuer === null || config.oauthIssuer === null) return sendPage(reply, noIssuerPage)
    const outcome = await issuer.finish(queryOf(request), cookies.signIn.read(request.headers.cookie))
    if ('page' in outcome) return failed(request, reply, outcome)
    if (outcome.why !== undefined) request.log.warn({ why: outcome.why }, 'the issuer did not tell a name')
    const person = await personOf(database, config.oauthIssuer, outcome.subject)
    if (!person.active) return sendPage(reply, deactivatedPage)
    const secret = await database.tx(async (tx) => {
      await describePerson(tx, person.id, outcome.profile)
      return beginInstead(tx, auth, person.id, cookies.session.read(request.headers.cookie))
    })
    request.log.info({ user_id: person.id }, 'signed in at the issuer')
    // The ticket goes only now: a wrong answer must not spoil the sign-in that another tab has begun.
    return reply.header('set-cookie', [cookies.signIn.clear(), cookies.session.write(secret)]).redirect('../')
  }
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

/** What another caller would get as a problem, a person at a browser gets as a page. */
async function orPage(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  try {
    return await work()
  } catch (error) {
    const refusal = classify(error)
    if (!(refusal instanceof Refusal)) throw error
    reply.header('retry-after', '5')
    return sendPage(reply, { status: 503, title: 'Not just now', text: refusal.message, again: true })
  }
}
