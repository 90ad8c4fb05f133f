// In charge of changing what the board's address says.
import { useNavigate } from '@tanstack/react-router'
import type { BoardSearch } from './search-params.ts'

/** Changes parameters of the address; those left out stay, and an empty text removes one. */
export function useSetSearch(): (change: BoardSearch, replace?: boolean) => void {
  const navigate = useNavigate()
  return (change, replace = false) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...change }), replace })
}
