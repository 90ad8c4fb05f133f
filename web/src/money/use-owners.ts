// In charge of reading who can own a budget.
import { useQuery } from '@tanstack/react-query'
import { peopleQuery, tokensQuery } from '../lib/queries.ts'

/** The people, and the tokens that the user may read: an admin all of them. */
export const useOwners = () => ({
  people: useQuery(peopleQuery).data ?? [],
  tokens: useQuery(tokensQuery).data ?? [],
})
