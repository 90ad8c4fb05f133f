// In charge of which people can be chosen as reviewers, and of how reviewers are named. Pure.
import { namedApart } from '../lib/apart.ts'
import type { Person } from '../lib/types.ts'

/** The name of a reviewer. Of somebody without access it says so: their decision will not come, so the task waits for it forever. */
export function reviewerName(person: Pick<Person, 'name' | 'active'> | undefined): string {
  if (!person) return 'Somebody'
  const name = person.name ?? 'Without a name'
  return person.active ? name : `${name} (has no access)`
}

/** The people who have access, and those who are chosen already, so that these can be removed. */
export const reviewerChoices = (
  people: ReadonlyMap<string, Pick<Person, 'id' | 'name' | 'email' | 'active'>>,
  chosen: readonly string[],
): { value: string; label: string }[] =>
  namedApart(
    [...people.values()]
      .filter(({ id, active }) => active || chosen.includes(id))
      .map((person) => ({ ...person, name: reviewerName(person) })),
  ).map(({ id, name }) => ({ value: id, label: name }))
