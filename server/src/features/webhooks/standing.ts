// In charge of deriving a person's role, access and the end of their credentials, from the provider's facts and an admin's
// decisions. Pure; the order of the facts makes no difference. Times are in milliseconds since 1970.
import type { Role } from '@atelier/contract/enums.ts'
import type { RoleMap } from '../../platform/role-map.ts'

export type Policy = {
  /** The organization whose memberships count; null if it is not known which organization is ours. */
  organization: string | null
  roles: RoleMap
}

export type Membership = {
  id: string
  /** '' if the message named no organization; null if an older version stored the membership without its organization. */
  organization: string | null
  /**
   * The provider's word for the role; '' if the message had none; null if an older version stored the membership without the word.
   */
  word: string | null
  changedAt: number
  /** Null if unknown, which counts as earlier than any known time. */
  joinedAt: number | null
  /** Null if the membership has not ended. */
  leftAt: number | null
}

export type Facts = { deletedAt: number | null; memberships: readonly Membership[] }

export type Decided = {
  owner: boolean
  role: Role
  roleByHand: boolean
  /** Null if no admin has decided about the person's access. */
  activeByHand: boolean | null
  decidedAt: number
}

export type Standing = {
  role: Role
  active: boolean
  /** The latest time at which a fact ended the person's access. Credentials created before that time are invalid. */
  endedAt: number | null
  /** The provider's word for the role, if no role is configured for that word. The person is a reader then. */
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
  // If an admin readmits a person, earlier facts no longer count; only a later fact ends the access again.
  const isReadmitted = decided.activeByHand === true && decided.decidedAt >= (endedAt ?? 0)
  return { role, active: decided.activeByHand !== false && (isWelcome || isReadmitted), endedAt, unknownWord }
}

function presenceOf(organization: string | null, memberships: readonly Membership[], { owner }: Decided): Presence {
  if (owner) return { isMember: true, leavings: [], role: 'stays' }
  if (organization === null) return amongAny(memberships)
  const ours = memberships.filter((membership) => membership.organization === organization)
  return ours.length > 0 ? amongOurs(ours) : amongUnattributed(memberships)
}

/** Judges memberships of our organization: the person has left if all of them have ended. */
function amongOurs(ours: readonly Membership[]): Presence {
  const lasting = ours.filter(({ leftAt }) => leftAt === null)
  const last = lasting.toSorted((a, b) => a.changedAt - b.changedAt || (a.id < b.id ? -1 : 1)).at(-1)
  const role = last === undefined ? 'none' : last.word === null ? 'stays' : { word: last.word }
  return { isMember: last !== undefined, leavings: endsOf(ours), role }
}

/**
 * Judges memberships that an older version stored without their organization: the person keeps their role until a message names the
 * organization. A person without any membership is a reader, like anybody who signs in through the issuer.
 */
function amongUnattributed(memberships: readonly Membership[]): Presence {
  const unattributed = memberships.filter(({ organization }) => organization === null)
  if (unattributed.length === 0) return { isMember: true, leavings: [], role: 'none' }
  const lasts = unattributed.some(({ leftAt }) => leftAt === null)
  return { isMember: lasts, leavings: lasts ? [] : endsOf(unattributed), role: 'stays' }
}

/**
 * Used if our organization is not known. Since any membership could be one of ours, roles do not change. A person who was without
 * any membership at some time has left, and joining an organization later does not bring the person back.
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
