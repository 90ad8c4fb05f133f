// In charge of telling records of equal names apart in the lists from which users choose. Pure.
import { fullWords } from './dates.ts'
import { personName } from './people.ts'
import type { Person } from './types.ts'

/** The names that occur more than once. */
function repeatedIn(names: readonly string[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  for (const name of names) (seen.has(name) ? repeated : seen).add(name)
  return repeated
}

/** The people under the names by which lists offer them. If several have the same name, each one's address follows the name. */
export function namedApart(people: readonly Pick<Person, 'id' | 'name' | 'email'>[]): { id: string; name: string }[] {
  const named = people.map(({ id, name, email }) => ({ id, email, name: personName({ name: name ?? email }) }))
  const repeated = repeatedIn(named.map(({ name }) => name))
  return named.map(({ id, name, email }) => ({
    id,
    // An address may be missing: the end of the id then tells two people apart.
    name: repeated.has(name) ? `${name} · ${email ?? id.slice(-8)}` : name,
  }))
}

/** By its id, when each graph was changed that has the same name as another one in the list. */
export function changesApart(
  graphs: readonly { id: string; name: string; updated_at: string }[],
): ReadonlyMap<string, string> {
  const repeated = repeatedIn(graphs.map(({ name }) => name))
  return new Map(
    graphs
      .filter(({ name }) => repeated.has(name))
      .map(({ id, updated_at }) => [id, `Changed ${fullWords(updated_at)}`]),
  )
}
