// In charge of which people can be chosen as reviewers, and of how reviewers are named. Pure.
import { mayDecide } from '@atelier/contract/reviewer-rules.ts'
import { namedApart } from '../lib/apart.ts'
import { personName } from '../lib/people.ts'
import type { Person } from '../lib/types.ts'

/**
 * The name of a reviewer. Of somebody who cannot decide any more it says so: their decision will not come, so the task waits for it
 * forever.
 */
export function reviewerName(person: Pick<Person, 'name' | 'active' | 'role'> | undefined): string {
  if (!person) return 'Somebody'
  const name = personName(person)
  if (!person.active) return `${name} (has no access)`
  return mayDecide(person) ? name : `${name} (may not decide)`
}

/** The people who may decide, and those who are chosen already, so that these can be removed. */
export const reviewerChoices = (
  people: ReadonlyMap<string, Pick<Person, 'id' | 'name' | 'email' | 'active' | 'role'>>,
  chosen: readonly string[],
): { value: string; label: string }[] =>
  namedApart(
    [...people.values()]
      .filter((person) => mayDecide(person) || chosen.includes(person.id))
      .map((person) => ({ ...person, name: reviewerName(person) })),
  ).map(({ id, name }) => ({ value: id, label: name }))
