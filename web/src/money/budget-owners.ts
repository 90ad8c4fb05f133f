// In charge of the names under which the page about money shows whose a budget is, and who asks for an approval. Pure.
import { foldText } from '@atelier/contract/fold.ts'
import { namedApart } from '../lib/apart.ts'
import type { Budget, Person, Token } from '../lib/types.ts'

type Owners = {
  people: readonly Pick<Person, 'id' | 'name' | 'email'>[]
  tokens: readonly Pick<Token, 'id' | 'name' | 'user_id' | 'revoked_at'>[]
}

/** Returns a function that names the owner of a budget: a person, or an integration (a token without a person) by its token's name. */
export function ownerNames({ people, tokens }: Owners) {
  const names = new Map(
    [...namedApart(tokens.map((token) => ({ ...token, email: null }))), ...namedApart(people)].map(({ id, name }) => [
      id,
      name,
    ]),
  )
  return ({ person_id: id }: Pick<Budget, 'person_id'>): string =>
    id === null ? 'Everybody' : (names.get(id) ?? 'An integration')
}

/** Returns the budgets whose owner has `wanted` in the name: that of everybody first, and the others by name. */
export function sortedBudgets(
  budgets: readonly Budget[],
  nameOf: ReturnType<typeof ownerNames>,
  wanted: string,
): Budget[] {
  const folded = foldText(wanted.trim())
  const byName = new Intl.Collator(undefined, { numeric: true })
  return budgets
    .map((budget) => ({ budget, name: nameOf(budget) }))
    .filter(({ name }) => foldText(name).includes(folded))
    .toSorted(
      (one, other) =>
        Number(one.budget.person_id !== null) - Number(other.budget.person_id !== null) ||
        byName.compare(one.name, other.name),
    )
    .map(({ budget }) => budget)
}

/** Whose budget can be set, in groups for a list of choices. */
export const ownerChoices = ({ people, tokens }: Owners) => {
  const integrations = tokens.filter(({ user_id, revoked_at }) => user_id === null && revoked_at === null)
  const nameOf = ownerNames({ people, tokens: integrations })
  const choices = (of: readonly { id: string }[]) =>
    of.map(({ id }) => ({ value: id, label: nameOf({ person_id: id }) }))
  return [
    { group: 'People', items: choices(people) },
    { group: 'Integrations', items: choices(integrations) },
  ].filter(({ items }) => items.length > 0)
}
