// In charge of how the board is shown: as columns or as a gallery. The address decides; if it does not say, the choice that this
// browser stored last applies.
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
