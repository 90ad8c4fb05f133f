// In charge of one column: its head, and below it the cards in a virtual list that reads more pages when a user scrolls.

import { useDroppable } from '@dnd-kit/core'
import { ActionIcon, Loader, Tooltip } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useMemo } from 'react'
import { spanWords } from '../lib/dates.ts'
import { useLiveState } from '../lib/live-connection.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed } from '../ui/states.tsx'
import { type Column, useBoard } from './board-context.ts'
import { CardTile } from './card.tsx'
import { CardList } from './card-list.tsx'
import { DeletedCard } from './deleted-card.tsx'
import { cardsOf, totalOf } from './feed-edits.ts'
import { feedQuery } from './feed-query.ts'
import { QuickAdd } from './quick-add.tsx'
import { openAdding, useIsAdding } from './selection.ts'

/** How often, in milliseconds, a column is read again while the live connection, which reports changes by others, is down. */
const pollMs = 20_000

type Props = { column: Column; folded: boolean; onFold: () => void }

export function BoardColumn({ column, folded, onFold }: Props) {
  const { paramsOf, canWrite } = useBoard()
  const feed = useInfiniteQuery({
    ...feedQuery(column.name, paramsOf(column.name)),
    refetchInterval: useLiveState() === 'live' ? false : pollMs,
  })
  const adding = useIsAdding(column.name)
  const cards = useMemo(() => cardsOf(feed.data), [feed.data])
  const total = totalOf(feed.data)
  const count = total ?? `${cards.length}${feed.hasNextPage ? '+' : ''}`
  const titleId = `column-${column.name}`
  if (folded) {
    return (
      <button
        type="button"
        className="column-folded"
        data-group={column.group}
        data-fold={column.name}
        onClick={onFold}
      >
        <Icon name="right" />
        <span className="visually-hidden">Unfold</span>
        <span className="column-count">{count}</span>
        <span className="column-folded-label">{column.label}</span>
      </button>
    )
  }
  return (
    <ColumnPlace column={column} titleId={titleId}>
      <header className="column-head">
        <h2 id={titleId}>{column.label}</h2>
        <span className="column-count" title="Tasks in this column">
          {feed.data ? count : ''}
        </span>
        <ColumnTools column={column} canAdd={canWrite && column.name !== 'deleted'} onFold={onFold} />
      </header>
      {adding && column.name !== 'deleted' ? <QuickAdd status={column.name} label={column.label} /> : null}
      {feed.isPending ? <ColumnLoading label={column.label} /> : null}
      {feed.isError && !feed.data ? <Failed error={feed.error} retry={() => void feed.refetch()} /> : null}
      {feed.data ? (
        <CardList
          cards={cards}
          column={column.name}
          label={column.label}
          more={feed.hasNextPage ? () => void feed.fetchNextPage() : null}
          reading={feed.isFetchingNextPage}
          empty={<EmptyColumn column={column} />}
          render={(card) => (column.name === 'deleted' ? <DeletedCard card={card} /> : <CardTile card={card} />)}
        />
      ) : null}
    </ColumnPlace>
  )
}

type PlaceProps = { column: Column; titleId: string; children: ReactNode }

/**
 * The area onto which cards are dropped. A separate component: every step of a drag draws the area again, but not the cards in it,
 * because these are passed as `children`.
 */
function ColumnPlace({ column, titleId, children }: PlaceProps) {
  const { setNodeRef, isOver } = useDroppable({ id: column.name })
  return (
    <section
      ref={setNodeRef}
      className="column"
      data-column={column.name}
      data-group={column.group}
      data-over={isOver || undefined}
      aria-labelledby={titleId}
    >
      {children}
    </section>
  )
}

type ToolsProps = { column: Column; canAdd: boolean; onFold: () => void }

/** Memoized, because drawing Mantine's tooltips takes longer than drawing all visible cards. */
const ColumnTools = memo(function ColumnTools({ column, canAdd, onFold }: ToolsProps) {
  return (
    <span className="column-tools">
      {canAdd ? (
        <Tooltip label="New task here (n)">
          <ActionIcon size="sm" aria-label={`New task in ${column.label}`} onClick={() => openAdding(column.name)}>
            <Icon name="plus" />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <Tooltip label="Fold this column">
        <ActionIcon size="sm" aria-label={`Fold ${column.label}`} data-fold={column.name} onClick={onFold}>
          <Icon name="left" />
        </ActionIcon>
      </Tooltip>
    </span>
  )
})

/** Unlike `Loading`, it announces nothing: all columns load at the same time, and a search would be announced for each of them. */
const ColumnLoading = ({ label }: { label: string }) => (
  <div className="state">
    <Loader size="sm" />
    <span className="visually-hidden">Loading {label}</span>
  </div>
)

function EmptyColumn({ column }: { column: Column }) {
  const { search, retentionMs } = useBoard()
  if (search.q || search.filter) return <p className="column-empty">Nothing here matches.</p>
  if (column.name === 'deleted') {
    return <p className="column-empty">Deleted tasks wait here for {spanWords(retentionMs)}, with their creatives.</p>
  }
  return <p className="column-empty">No tasks.</p>
}
