// In charge of how the board is shown: as columns or as a gallery. The address says it; where it does not, this browser
// remembers what was chosen last.
import { useSearch } from '@tanstack/react-router'
import { remember, remembered } from '../lib/storage.ts'
import { isLayout, type Layout } from './search-params.ts'
import { useSetSearch } from './use-set-search.ts'

export function useLayout(): { layout: Layout; setLayout: (layout: Layout) => void } {
  const { layout } = useSearch({ from: '/board' })
  const setSearch = useSetSearch()
  return {
    layout: layout ?? remembered('layout', isLayout, 'columns'),
    setLayout: (next) => {
      remember('layout', next)
      setSearch({ layout: next })
    },
  }
}
