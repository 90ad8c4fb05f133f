// In charge of saying what a person is and may do after an admin has changed it in the list. Pure.
import { personName } from '../lib/people.ts'
import type { Person } from '../lib/types.ts'
import { roleOptions } from './roles.ts'

/** `before`: the person as the list has shown them. */
export function changedWords(
  before: Pick<Person, 'role' | 'active'>,
  person: Pick<Person, 'name' | 'role' | 'active'>,
): string {
  const name = personName(person)
  if (before.active !== person.active)
    return person.active ? `${name} has access again` : `${name} has no access any more`
  const role = roleOptions.find(({ value }) => value === person.role)?.label ?? person.role
  return `${name} is now ${role.toLowerCase()}`
}
