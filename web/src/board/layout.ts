// In charge of deciding whether the board is shown as columns or as a gallery. If the address of the page does not say which,
// the last choice that was made in this browser is used.
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
