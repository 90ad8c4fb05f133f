// In charge of the names under which the page about money shows whose a budget is, and who asks for an approval. Pure.
import { namedApart } from '../lib/apart.ts'
import type { Budget, Person } from '../lib/types.ts'

/** Returns the function that names the owner of a budget. Tokens have budgets too, but are not among the people. */
export function ownerNames(people: readonly Pick<Person, 'id' | 'name' | 'email'>[]) {
  const names = new Map(namedApart(people).map(({ id, name }) => [id, name]))
  return ({ person_id: id }: Pick<Budget, 'person_id'>): string =>
    id === null ? 'Everybody' : (names.get(id) ?? 'An integration')
}
