// In charge of describing the caller of a request (a person, an integration or a guest) and what the caller may do.
import { type Role, roleScopes, type Scope } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

/**
 * The caller of a request. `scopes` are the token's scopes, without those that the person's role does not allow. `tokenId` is null
 * unless the caller uses a static token; `userId` and `role` are null if the caller is no person.
 */
export type Actor = {
  tokenId: string | null
  userId: string | null
  role: Role | null
  name: string | null
  scopes: ReadonlySet<Scope>
  /** The name of the automation, if an automation acts for this caller. */
  automation?: string
  /** Set if the caller is a guest who came by a link. A guest has no token, user or role and may use only routes for guests. */
  guest?: Guest
}

/** A guest, and what the guest's link permits. */
export type Guest = {
  id: string
  linkId: string
  taskId: string
  name: string
  mayComment: boolean
  mayDecide: boolean
}

export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.has(scope)) return
  // No token helps a person whose role does not allow it. In the browser, people have no token that they know of.
  const isBarredByRole = actor.role !== null && !roleScopes[actor.role].includes(scope)
  const why = isBarredByRole
    ? `Your role does not allow this: it needs the scope ${scope}. An admin can change your role.`
    : `This needs the scope ${scope}, which the token does not have.`
  throw new Refusal('insufficient_scope', why, { scope })
}

/** Whether a row names the caller as its author. */
export const isAuthor = (actor: Actor, row: { by_user: string | null; by_token: string | null }): boolean =>
  actor.userId ? actor.userId === row.by_user : row.by_user === null && actor.tokenId === row.by_token

/** Returns the author columns for a row that this caller writes. If a person uses a token, the person is the author. */
export const authorOf = (actor: Actor): { by_user: string | null; by_token: string | null } => ({
  by_user: actor.userId,
  by_token: actor.userId ? null : actor.tokenId,
})

/** Returns a caller's key for idempotency and rate limits. All tokens of a person share one; a caller without an id is `nobody`. */
export const actorKey = (actor: Actor): string => actor.userId ?? actor.tokenId ?? actor.guest?.id ?? 'nobody'
