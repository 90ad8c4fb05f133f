// In charge of changing the parameters of the board's address.
import { useNavigate } from '@tanstack/react-router'
import type { BoardSearch } from './search-params.ts'

/** Changes parameters of the address; parameters that are left out stay, and an empty text removes a parameter. */
export function useSetSearch(): (change: BoardSearch, replace?: boolean) => void {
  const navigate = useNavigate()
  return (change, replace = false) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...change }), replace })
}
