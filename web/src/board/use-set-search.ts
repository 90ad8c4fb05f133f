// In charge of changing the board's parameters in the page's address.
import { useNavigate } from '@tanstack/react-router'
import type { BoardSearch } from './search-params.ts'

/**
 * Returns a function that changes parameters in the address: a parameter that is not given keeps its value, and an empty text
 * removes a parameter. If `replace` is true, the browser's history gets no new entry.
 */
export function useSetSearch(): (change: BoardSearch, replace?: boolean) => void {
  const navigate = useNavigate()
  return (change, replace = false) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...change }), hash: true, replace })
}
