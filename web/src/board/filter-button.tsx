// In charge of the button that opens the filter builder; the builder's script is loaded when the builder is first opened.
import { createStore, useStore } from '../lib/store.ts'
import { Icon } from '../ui/icons.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { useBoard } from './board-context.ts'
import { countRules, readFilter } from './search-params.ts'

const opened = createStore(false)
export const openFilter = (): void => opened.set(true)

const FilterBuilder = lazyDialog(
  'the filter',
  async () => (await import('./filter-builder.tsx')).FilterBuilder,
  ({ title, close }) => ({ title, close }),
)

export function FilterButton() {
  const { search } = useBoard()
  const isOpen = useStore(opened, (value) => value)
  const count = countRules(readFilter(search.filter))
  const close = () => opened.set(false)
  return (
    <>
      <button
        type="button"
        className="tool"
        data-on={count > 0 || undefined}
        onClick={openFilter}
        onPointerEnter={() => void FilterBuilder.preload()}
        aria-haspopup="dialog"
      >
        <Icon name="filter" size={14} />
        <span className="tool-label">Filter</span>
        {count > 0 ? <span className="tool-count">{count}</span> : null}
      </button>
      {isOpen ? <FilterBuilder title="Filter the board" close={close} /> : null}
    </>
  )
}
