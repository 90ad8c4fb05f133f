// In charge of saying why an automation cannot act for its owner, and what to do about it. Pure.
import { automationScopes, roleScopes } from '@atelier/contract/enums.ts'
import { personName } from '../lib/people.ts'
import type { Person, Token } from '../lib/types.ts'

/** The person or the integration for which an automation acts. */
export type Owner =
  | { person: Pick<Person, 'name' | 'role' | 'active'> }
  | { token: Pick<Token, 'name' | 'scopes' | 'revoked_at' | 'expires_at'> }

/** What an owner who lacks the scope may not write. */
const written: Record<(typeof automationScopes)[number], string> = {
  'runs:write': 'runs',
  'tasks:write': 'tasks',
}

/**
 * Says why the service starts nothing for this owner, and what to do; null if the owner may act at the time `now`. The service asks
 * the same when a task enters the status. `canSave`: whether the user may save automations, so that they act for the user.
 */
export function ownerHint(owner: Owner, canSave: boolean, now: number): string | null {
  const problem = 'person' in owner ? problemOfPerson(owner.person) : problemOfToken(owner.token, now)
  if (problem === null) return null
  const remedy = canSave
    ? 'Save it to have it act for you.'
    : 'An admin has to save it, and it then acts for that admin.'
  return `${problem} ${remedy} Until then, its tasks fail.`
}

function problemOfPerson(person: Pick<Person, 'name' | 'role' | 'active'>): string | null {
  const name = personName(person)
  if (!person.active) return `${name} has left.`
  const missing = mayNotWrite(roleScopes[person.role])
  return missing === null ? null : `${name} is a ${person.role} and may not write ${missing}.`
}

function problemOfToken(
  { name, scopes, revoked_at, expires_at }: Pick<Token, 'name' | 'scopes' | 'revoked_at' | 'expires_at'>,
  now: number,
): string | null {
  if (revoked_at !== null) return `The token “${name}” is revoked.`
  if (expires_at !== null && Date.parse(expires_at) <= now) return `The token “${name}” has expired.`
  const missing = mayNotWrite(scopes)
  return missing === null ? null : `The token “${name}” may not write ${missing}.`
}

function mayNotWrite(scopes: readonly string[]): string | null {
  const missing = automationScopes.filter((scope) => !scopes.includes(scope))
  return missing.length === 0 ? null : missing.map((scope) => written[scope]).join(' or ')
}
