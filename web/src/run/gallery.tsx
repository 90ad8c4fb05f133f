// In charge of the grid that shows the items of a node, of which there may be thousands: users open, select and re-roll them here.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useMemo, useRef, useState } from 'react'
import type { CardView } from '../canvas/cards.ts'
import { Picture } from '../canvas/picture.tsx'
import { StatusMark } from '../canvas/status-mark.tsx'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { useCost } from './cost.tsx'
import { ItemDetail } from './item-detail.tsx'
import { type Show, stepsFrom } from './item-steps.ts'
import type { ItemState, Run } from './queries.ts'
import { RollButton } from './roll-button.tsx'
import { cellText } from './shapes.ts'
import type { Actions } from './use-actions.ts'
import type { Items } from './use-items.ts'
import { ViewedContext, viewedItems } from './viewed.ts'

type Props = { run: Run; view: CardView; items: Items; actions: Actions; mayWrite: boolean }

const least = 140
const gap = 10

export function Gallery({ run, view, items, actions, mayWrite }: Props) {
  const [show, setShow] = useState<Show>('all')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [open, setOpen] = useState<number | null>(null)
  /** The items that were shown when the user opened one of them. */
  const [among, setAmong] = useState<readonly number[]>([])
  const shown = useMemo(() => [...items.keys()].filter((index) => fits(items.get(index), show)), [items, show])
  const failed = useMemo(() => [...items].filter(([, { status }]) => status === 'failed').length, [items])
  const { ref, width } = useElementSize()
  const scroller = useRef<HTMLDivElement | null>(null)
  const columns = Math.max(2, Math.floor((width + gap) / (least + gap)))
  const rowHeight = view.makesFiles ? 178 : 118
  const virtual = useVirtualizer({
    count: Math.ceil(shown.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight + gap,
    overscan: 3,
  })
  const shownNow = useRef(shown)
  shownNow.current = shown
  const openItem = useCallback((index: number) => {
    setAmong(shownNow.current)
    setOpen(index)
  }, [])
  const toggle = useCallback((index: number) => {
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(index)) next.add(index)
      return next
    })
  }, [])
  /** Called if the focused element disappears. Focuses the item `index`, or the first item if `index` is null or not drawn. */
  const focusItem = (index: number | null) =>
    requestAnimationFrame(() => {
      const all = scroller.current
      const own = index === null ? null : all?.querySelector<HTMLElement>(`[data-item="${index}"]`)
      const target = own ?? all?.querySelector<HTMLElement>('[data-item]')
      target?.focus()
    })
  const clear = () => {
    focusItem(Math.min(...selected))
    setSelected(new Set())
  }
  const item = open === null ? undefined : items.get(open)
  if (open !== null && item) {
    // A filtered list stays as it was when the item was opened: an item that is rolled again no longer matches the filter, and would
    // disappear from the list while the user looks at it.
    const steps = stepsFrom(open, show === 'all' ? shown : among, show)
    return (
      <ViewedContext value={viewedItems(view.id, items)}>
        <ItemDetail
          {...{ run, view, item, actions, mayWrite, steps }}
          index={open}
          go={setOpen}
          close={() => {
            focusItem(open)
            setOpen(null)
          }}
        />
      </ViewedContext>
    )
  }
  return (
    <div className="gallery">
      <div className="gallery-tools">
        <SegmentedControl
          size="xs"
          aria-label="Which items"
          data={[
            { value: 'all', label: `All ${items.size}` },
            { value: 'failed', label: `Failed ${failed}` },
            { value: 'open', label: 'Not done' },
          ]}
          value={show}
          onChange={(value) => setShow(value === 'failed' || value === 'open' ? value : 'all')}
        />
        {show === 'failed' && failed > 0 ? (
          <Button size="compact-xs" variant="subtle" onClick={() => setSelected(new Set(shown))}>
            Select these
          </Button>
        ) : null}
      </div>
      <div
        ref={(element) => {
          scroller.current = element
        }}
        className="gallery-scroll"
      >
        <div ref={ref} className="gallery-space" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((row) => (
            <div
              key={row.key}
              className="gallery-row"
              style={{
                transform: `translateY(${row.start}px)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                height: rowHeight,
              }}
            >
              {shown.slice(row.index * columns, (row.index + 1) * columns).map((index) => {
                const one = items.get(index)
                return one ? (
                  <ItemCell
                    key={index}
                    index={index}
                    item={one}
                    isSelected={selected.has(index)}
                    hasPicture={view.makesFiles}
                    toggle={toggle}
                    open={openItem}
                  />
                ) : null
              })}
            </div>
          ))}
        </div>
      </div>
      <RollSelected {...{ run, actions, mayWrite, selected }} node={view.id} clear={clear} />
    </div>
  )
}

function fits(item: ItemState | undefined, show: Show): boolean {
  if (show === 'all' || !item) return true
  if (show === 'failed') return item.status === 'failed'
  return item.status !== 'succeeded' && item.status !== 'cached'
}

type CellProps = {
  index: number
  item: ItemState
  isSelected: boolean
  hasPicture: boolean
  toggle: (index: number) => void
  open: (index: number) => void
}

/** Uses native elements instead of Mantine's slower ones, because one step of the mouse wheel renders dozens of these cells. */
const ItemCell = memo(function ItemCell({ index, item, isSelected, hasPicture, toggle, open }: CellProps) {
  const [file] = filesIn(item.outputs)
  const words = item.error || Object.values(item.outputs).map(cellText).join(' · ') || item.message
  return (
    <div className="item" data-selected={isSelected || undefined} data-status={item.status}>
      <button
        type="button"
        className="item-open"
        data-item={index}
        aria-label={`Open item ${index + 1}`}
        onClick={() => open(index)}
      >
        {file && hasPicture ? (
          <span className="item-picture">
            <Picture file={file} alt="" small />
          </span>
        ) : (
          <span className="item-words" data-error={item.error !== '' || undefined}>
            {words.slice(0, 160)}
          </span>
        )}
      </button>
      <span className="item-foot">
        <input
          type="checkbox"
          aria-label={`Select item ${index + 1}`}
          checked={isSelected}
          onChange={() => toggle(index)}
        />
        <span>{index + 1}</span>
        <StatusMark status={item.status} plain />
      </span>
    </div>
  )
})

type RollProps = {
  run: Run
  node: string
  actions: Actions
  mayWrite: boolean
  selected: ReadonlySet<number>
  clear: () => void
}

function RollSelected({ run, node, actions, mayWrite, selected, clear }: RollProps) {
  const refusal = mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook
  const body = useMemo(
    () => ({ regenerate: [...selected].toSorted((a, b) => a - b).map((item) => ({ node_id: node, item })) }),
    [selected, node],
  )
  const cost = useCost({ run, body, enabled: selected.size > 0 && refusal === null })
  if (selected.size === 0) return null
  const roll = async () => {
    if (await actions.start(body)) clear()
  }
  return (
    <div className="gallery-bar" role="toolbar" aria-label="Selected items">
      <RollButton label={`Roll ${selected.size} again`} tip={null} refusal={refusal} variant="filled" roll={roll} />
      <span className="hint">{cost}</span>
      <Button variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
    </div>
  )
}
