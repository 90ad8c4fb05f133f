// In charge of the caller of a request: a person, an integration or a guest, and what the caller may do.
import type { Role, Scope } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

/** The caller of a request. `scopes` are those of the token, reduced to what the person's role allows. */
export type Actor = {
  tokenId: string | null
  userId: string | null
  role: Role | null
  name: string | null
  scopes: ReadonlySet<Scope>
  /** The name of the automation, if one acts in this caller's name. */
  automation?: string
  /** A guest who came by a link: then the other members are not set, and only routes for guests are allowed. */
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
  throw new Refusal('insufficient_scope', `This needs the scope ${scope}, which the token does not have.`, { scope })
}

/** Whether the caller is the author that a row names. */
export const isAuthor = (actor: Actor, row: { by_user: string | null; by_token: string | null }): boolean =>
  actor.userId ? actor.userId === row.by_user : row.by_user === null && actor.tokenId === row.by_token

/** The columns that name an author. If a person acts through a token, the author is the person, not the token. */
export const authorOf = (actor: Actor): { by_user: string | null; by_token: string | null } => ({
  by_user: actor.userId,
  by_token: actor.userId ? null : actor.tokenId,
})

/** A unique key per caller, for idempotency keys and rate limits. */
export const actorKey = (actor: Actor): string => actor.userId ?? actor.tokenId ?? actor.guest?.id ?? 'nobody'
