// In charge of the routes for a browser's session: reading its state, issuing bearer tokens, ending it, and creating sign-in links.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bind } from '../../platform/http/bind.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { userExists } from '../tokens/store.ts'
import { isFromOwnPage } from './callers.ts'
import { cookiesOf } from './cookies.ts'
import { endEverywhere } from './handover.ts'
import { linkTo, ownAddress } from './links.ts'
import { findOwner, findSession, hashOf, insertLink, touchSession } from './store.ts'

const { session, sessionToken, signOut, signIn } = outsideRoutes

export function bindSessions(server: FastifyInstance, services: Services, signsInAtIssuer: boolean): void {
  const { database, config, auth, sessionTokens } = services
  const cookies = cookiesOf(config)
  const requireOwnPage = ({ headers }: FastifyRequest): void => {
    const site = headers['sec-fetch-site']
    const said = { origin: headers.origin, fetchSite: site?.toString(), host: headers.host }
    if (!isFromOwnPage(said, config.publicUrl)) {
      throw new Refusal('foreign_origin', 'This works from a page of this service only (Origin).')
    }
  }

  server.get(session.path, { config: { routeId: 'session' } }, async ({ headers }, reply) => {
    const secret = cookies.session(headers).read(headers.cookie)
    reply.header('cache-control', 'no-store')
    return {
      signed_in: secret !== null && (await findSession(database.main, secret)) !== null,
      method: signsInAtIssuer ? 'issuer' : 'link',
      sign_in_path: signIn.path,
      issuer: signsInAtIssuer ? config.oauthIssuer : null,
    }
  })

  server.post(sessionToken.path, { config: { routeId: 'sessionToken' } }, async (request, reply) => {
    requireOwnPage(request)
    const secret = cookies.session(request.headers).read(request.headers.cookie)
    const found = secret === null ? null : await touchSession(database.main, secret)
    if (found === null) throw new Refusal('not_signed_in', 'This browser is not signed in, or its session is over.')
    reply.header('cache-control', 'no-store')
    return { ...sessionTokens.issue(found.id), user_id: found.user_id }
  })

  server.delete(signOut.path, { config: { routeId: 'signOut' } }, async (request, reply) => {
    requireOwnPage(request)
    const cookie = cookies.session(request.headers)
    const secret = cookie.read(request.headers.cookie)
    if (secret !== null) await database.tx((tx) => endEverywhere(tx, auth, [hashOf(secret)]))
    return reply.header('set-cookie', cookie.clear()).header('cache-control', 'no-store').status(204).send()
  })
}

export function bindSignInLinks(bind: Bind, server: FastifyInstance, { config }: Services): void {
  bind(routes.createSignInLink, async ({ db, body }) => {
    const userId = body.user_id ?? (await findOwner(db))
    if (userId === null) throw new Refusal('not_found', 'There is no active admin; name a person with `user_id`.')
    if (!(isUuid(userId) && (await userExists(db, userId)))) throw unknownPerson(userId)
    const { code, expires_at } = await insertLink(db, userId)
    return { data: { url: linkTo(config, ownAddress(server, config), code), user_id: userId, expires_at } }
  })
}

const unknownPerson = (input: string) =>
  invalidAt(['body', 'user_id'], valueError('there is no person with this id'), input)
