// In charge of the board: its toolbar, its columns side by side, and the task that is open beside them.
import { useDocumentTitle } from '@mantine/hooks'
import { Outlet, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isTextList, remember, remembered } from '../lib/storage.ts'
import type { ColumnName } from '../lib/types.ts'
import { Failed, Loading } from '../ui/states.tsx'
import './board.css'
import './card.css'
import { BoardProvider, useBoard, useBoardOf } from './board-context.ts'
import { BulkBar } from './bulk-bar.tsx'
import { BoardColumn } from './column.tsx'
import { BoardDrag } from './drag.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { BoardToolbar } from './toolbar.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { useLiveBoard } from './use-live-board.ts'

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
          <Columns />
        </div>
        <Outlet />
      </div>
      <RestoreDialog />
      <LabelDialog />
    </BoardProvider>
  )
}

/** Folded until somebody says otherwise: finished long ago, and rarely what one looks for. */
const foldedAtFirst = ['archived']

function Columns() {
  useDocumentTitle('Board · Atelier')
  const { columns } = useBoard()
  useLiveBoard()
  const [folded, setFolded] = useState(() => remembered('folded', isTextList, foldedAtFirst))
  const fold = (name: ColumnName) => {
    const next = folded.includes(name) ? folded.filter((other) => other !== name) : [...folded, name]
    setFolded(next)
    remember('folded', next)
  }
  useBoardKeys(new Set(columns.map(({ name }) => name).filter((name) => folded.includes(name))))
  return (
    <BoardDrag>
      <section className="board" aria-label="Columns">
        {columns.map((column) => (
          <BoardColumn
            key={column.name}
            column={column}
            folded={folded.includes(column.name)}
            onFold={() => fold(column.name)}
          />
        ))}
      </section>
      <BulkBar />
    </BoardDrag>
  )
}
