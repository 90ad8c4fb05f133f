// In charge of the HTTP routes of static tokens: creating, listing and revoking them.
import { routes } from '@atelier/contract/routes/routes.ts'
import { Invalid, notFound, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { announceAuthChange, insertToken, newToken } from '../../platform/auth.ts'
import { afterCommit } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { isFuture, listTokens, lockToken, readToken, revokeToken, userExists } from './store.ts'

export function bindTokens(bind: Bind, { cursors, auth }: Services): void {
  bind(routes.listTokens, async ({ db, query, actor }) => {
    const whose = actor.scopes.has('admin') ? null : { userId: actor.userId, tokenId: actor.tokenId }
    return listPage(
      { cursors, scope: `tokens/${JSON.stringify(whose)}`, query },
      (after, take) => listTokens(db, whose, after, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  bind(routes.createToken, async ({ db, body }) => {
    const userId = body.user_id ?? null
    const errors: ValidationError[] = []
    if (userId !== null && !(isUuid(userId) && (await userExists(db, userId)))) {
      errors.push(errorAt(['body', 'user_id'], valueError('there is no person with this id'), userId))
    }
    if (body.expires_at && !(await isFuture(db, body.expires_at))) {
      errors.push(errorAt(['body', 'expires_at'], valueError('must be in the future'), body.expires_at))
    }
    if (errors.length > 0) throw new Invalid(errors)
    const token = newToken()
    const expiresAt = body.expires_at ? new Date(body.expires_at).toISOString() : null
    const id = await insertToken(db, { name: body.name ?? 'Token', token, scopes: body.scopes, userId, expiresAt })
    const text = (await readToken(db, id)) ?? '{}'
    return { data: json(`${text.slice(0, -1)},"token":${JSON.stringify(token)}}`) }
  })

  bind(routes.revokeToken, async ({ db, params: { token_id }, actor }) => {
    const token = await lockToken(db, token_id)
    const own = token && (actor.userId ? token.user_id === actor.userId : token.id === actor.tokenId)
    // The error is a 404 rather than a 403, so that callers cannot find out which tokens other people have.
    if (!token || !(own || actor.scopes.has('admin'))) {
      throw notFound('token', token_id)
    }
    await revokeToken(db, token.id)
    await announceAuthChange(db)
    afterCommit(db, auth.forget)
    return { data: json((await readToken(db, token.id)) ?? 'null') }
  })
}
