// In charge of the choices of whose runs are listed: everybody's, the user's own, or those of somebody else. Pure.
import { namedApart } from '../lib/apart.ts'
import type { Labelled, Person } from '../lib/types.ts'

/**
 * `me`: the id of the user; null for a caller who is no person. `chosen`: the owner in the address, who gets a choice even if the
 * workspace does not know such a person.
 */
export function ownerChoices(
  people: readonly Pick<Person, 'id' | 'name' | 'email'>[],
  me: string | null,
  chosen: string | undefined,
): Labelled[] {
  const others = namedApart(people)
    .filter(({ id }) => id !== me)
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const known = [
    { value: '', label: 'Everybody’s runs' },
    ...(me === null ? [] : [{ value: me, label: 'My runs' }]),
    ...others,
  ]
  if (chosen === undefined || known.some(({ value }) => value === chosen)) return known
  return [...known, { value: chosen, label: 'Unknown person' }]
}
