// In charge of what the provider's facts and an admin's decisions make of a person: role, access, and until when their
// credentials have ended. Pure, and the same whatever order the facts arrived in. Times are ms since the epoch.
import type { Role } from '@atelier/contract/enums.ts'
import type { RoleMap } from '../../platform/role-map.ts'

export type Policy = {
  /** The organization whose memberships count; null while it is not known which one is ours. */
  organization: string | null
  roles: RoleMap
}

export type Membership = {
  id: string
  /** '' where the message named none; null where a version kept the membership that did not keep organizations. */
  organization: string | null
  /** The provider's role word, '' where the message had none; null where a version kept the membership without it. */
  word: string | null
  changedAt: number
  /** Null: not known, so earlier than anything else. */
  joinedAt: number | null
  /** Null: it lasts. */
  leftAt: number | null
}

export type Facts = { deletedAt: number | null; memberships: readonly Membership[] }

export type Decided = {
  owner: boolean
  role: Role
  roleByHand: boolean
  /** Null: no admin has decided. */
  activeByHand: boolean | null
  decidedAt: number
}

export type Standing = {
  role: Role
  active: boolean
  /** The newest fact that ended an access; credentials made until then are over. */
  endedAt: number | null
  /** A word that is not in the table of roles, and so made a reader. */
  unknownWord: string | null
}

type Presence = { isMember: boolean; leavings: number[]; role: 'stays' | 'none' | { word: string } }

export function standingOf({ organization, roles }: Policy, facts: Facts, decided: Decided): Standing {
  const presence = presenceOf(organization, facts.memberships, decided)
  const { role, unknownWord } = roleOf(roles, presence.role, decided)
  const deletions = facts.deletedAt === null ? [] : [facts.deletedAt]
  const endings = [...presence.leavings, ...deletions]
  const endedAt = endings.length > 0 ? Math.max(...endings) : null
  const isWelcome = presence.isMember && facts.deletedAt === null
  // An admin who lets somebody in again overrules the facts until then; a later one ends the access again.
  const isReadmitted = decided.activeByHand === true && decided.decidedAt >= (endedAt ?? 0)
  return { role, active: decided.activeByHand !== false && (isWelcome || isReadmitted), endedAt, unknownWord }
}

function presenceOf(organization: string | null, memberships: readonly Membership[], { owner }: Decided): Presence {
  if (owner) return { isMember: true, leavings: [], role: 'stays' }
  if (organization === null) return amongAny(memberships)
  const ours = memberships.filter((membership) => membership.organization === organization)
  return ours.length > 0 ? amongOurs(ours) : amongUnattributed(memberships)
}

/** Memberships of our organization: a person without any that lasts has left. */
function amongOurs(ours: readonly Membership[]): Presence {
  const lasting = ours.filter(({ leftAt }) => leftAt === null)
  const last = lasting.toSorted((a, b) => a.changedAt - b.changedAt || (a.id < b.id ? -1 : 1)).at(-1)
  const role = last === undefined ? 'none' : last.word === null ? 'stays' : { word: last.word }
  return { isMember: last !== undefined, leavings: endsOf(ours), role }
}

/**
 * Memberships that the previous version kept without their organization: the person stays as they are until a message
 * names it. Whoever never was a member is here as anybody whom the issuer signs in, as a reader.
 */
function amongUnattributed(memberships: readonly Membership[]): Presence {
  const unattributed = memberships.filter(({ organization }) => organization === null)
  if (unattributed.length === 0) return { isMember: true, leavings: [], role: 'none' }
  const lasts = unattributed.some(({ leftAt }) => leftAt === null)
  return { isMember: lasts, leavings: lasts ? [] : endsOf(unattributed), role: 'stays' }
}

/**
 * Any membership could be of our organization: roles stay as they are, and whoever was without any at some time has left
 * and does not come back by joining another one.
 */
function amongAny(memberships: readonly Membership[]): Presence {
  const covers = (other: Membership, at: number): boolean =>
    (other.joinedAt ?? 0) <= at && (other.leftAt === null || other.leftAt > at)
  const leavings = endsOf(memberships).filter((at) => !memberships.some((other) => covers(other, at)))
  return { isMember: leavings.length === 0, leavings, role: 'stays' }
}

const endsOf = (memberships: readonly Membership[]): number[] =>
  memberships.map(({ leftAt }) => leftAt).filter((at) => at !== null)

function roleOf(
  roles: RoleMap,
  by: Presence['role'],
  { role, roleByHand }: Decided,
): Pick<Standing, 'role' | 'unknownWord'> {
  if (by === 'stays' || roleByHand) return { role, unknownWord: null }
  if (by === 'none') return { role: 'reader', unknownWord: null }
  const mapped = roles.get(by.word)
  return mapped === undefined ? { role: 'reader', unknownWord: by.word } : { role: mapped, unknownWord: null }
}
