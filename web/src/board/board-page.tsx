// In charge of the board page: the toolbar, the board as columns or as a gallery, and the open task beside the board.
import { useDocumentTitle } from '@mantine/hooks'
import { Outlet, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isTextList, remember, remembered } from '../lib/storage.ts'
import type { ColumnName } from '../lib/types.ts'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { lazyPage } from '../ui/lazy-page.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { setPageShortcuts } from '../ui/shortcut-help.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import './board.css'
import './card.css'
import { leaveBarred, useBarred } from './barred.ts'
import { BoardProvider, useBoard, useBoardOf } from './board-context.ts'
import { BoardColumn } from './column.tsx'
import { BoardDrag } from './drag.tsx'
import { leaveDropped, loadUploads, useDropped } from './dropped-files.ts'
import { useKeptColumns } from './kept-columns.ts'
import { boardShortcuts } from './keys.ts'
import { useLayout } from './layout.ts'
import { SearchOutcome } from './search-outcome.tsx'
import { useAreSelected } from './selection.ts'
import { BoardToolbar } from './toolbar.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { leaveDeleted, useConflicted } from './use-delete.ts'
import { useLiveBoard } from './use-live-board.ts'
import { useRangeSelect } from './use-range-select.ts'

export function BoardPage() {
  const search = useSearch({ from: '/board' })
  const { board, error, retry } = useBoardOf(search)
  if (!board) return error ? <Failed error={error} retry={retry} /> : <Loading what="the board" />
  return (
    <BoardProvider value={board}>
      <div className="board-page">
        <div className="board-main">
          <h1 className="visually-hidden">Board</h1>
          <BoardToolbar />
          <Shown />
        </div>
        <Outlet />
      </div>
      <IfConflicted />
      <IfBarred />
    </BoardProvider>
  )
}

const Gallery = lazyPage(() => import('./gallery.tsx'), 'Gallery')

function Shown() {
  useDocumentTitle('Board · Atelier')
  useEffect(() => setPageShortcuts(boardShortcuts), [])
  if (useLayout().layout === 'columns') return <Columns />
  return (
    <Suspense fallback={<Loading what="the gallery" />}>
      <Gallery />
    </Suspense>
  )
}

/** Columns that are folded until the user unfolds them, because their tasks were finished long ago and are rarely looked for. */
const foldedAtFirst = ['archived']

const BulkBar = lazyPart('the actions', async () => (await import('./bulk-bar.tsx')).BulkBar, { loading: null })

/** The script of the bar is loaded only once cards are selected, so that the board opens sooner. */
function IfSelected() {
  return useAreSelected() ? <BulkBar /> : null
}

const RestoreDialog = lazyDialog(
  'this dialog',
  async () => (await import('./restore-dialog.tsx')).RestoreDialog,
  ({ task }) => ({ title: 'Not restored', close: () => leaveDeleted(task.id) }),
)
const LabelDialog = lazyDialog(
  'this dialog',
  async () => (await import('./label-dialog.tsx')).LabelDialog,
  () => ({ title: 'A label is missing', close: leaveBarred }),
)

const CardUploads = lazyDialog('the upload', loadUploads, () => ({ title: 'Not uploaded', close: leaveDropped }))

/** The script of uploads is loaded only once files are dropped on a card. */
function IfDropped() {
  const dropped = useDropped()
  return dropped.length > 0 ? <CardUploads dropped={dropped} /> : null
}

function IfConflicted() {
  const conflicted = useConflicted()
  return conflicted ? <RestoreDialog {...conflicted} /> : null
}

function IfBarred() {
  const barred = useBarred()
  return barred.length > 0 ? <LabelDialog barred={barred} /> : null
}

function Columns() {
  const { columns } = useBoard()
  const place = useRef<HTMLElement>(null)
  useKeptColumns(place)
  useLiveBoard('columns')
  const [folded, setFolded] = useState(() => remembered('folded', isTextList, foldedAtFirst))
  const fold = (name: ColumnName) => {
    const next = folded.includes(name) ? folded.filter((other) => other !== name) : [...folded, name]
    flushSync(() => setFolded(next))
    // The pressed button is gone. The button that does the opposite is in its place, and gets the focus.
    document.querySelector<HTMLElement>(`[data-fold="${name}"]`)?.focus()
    remember('folded', next)
  }
  useRangeSelect()
  useBoardKeys(new Set(columns.map(({ name }) => name).filter((name) => folded.includes(name))))
  return (
    <BoardDrag>
      <section ref={place} className="board" aria-label="Columns">
        {columns.map((column) => (
          <BoardColumn
            key={column.name}
            column={column}
            folded={folded.includes(column.name)}
            onFold={() => fold(column.name)}
          />
        ))}
      </section>
      <SearchOutcome />
      <IfSelected />
      <IfDropped />
    </BoardDrag>
  )
}
