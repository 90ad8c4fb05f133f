// In charge of editing a table that a node stores as text: users paste a table from a spreadsheet, and change single cells.
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { type ClipboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { thenCanvas } from '../canvas/use-canvas-focus.ts'
import { Icon } from '../ui/icons.tsx'
import './table-entry.css'
import { isSheet, replacesTable, type Table, tableOf, textOf } from '../lib/table-text.ts'
import { tellError, tellUndoable } from '../ui/toasts.tsx'
import type { Update } from './edit.ts'

type Props = {
  label: string
  error: string | null
  disabled: boolean
  value: string
  /**
   * Sets the text of the table; `undefined` removes the table. Throws an error if an `Update` can no longer be made. `isTyped`: the
   * user is typing the text, and may be in the middle of that.
   */
  change: (value: string | undefined | Update, isTyped?: boolean) => void
}

/** How many rows of the table are shown at first; a button shows more. */
const page = 50

export function TableEntry({ label, error, disabled, value, change }: Props) {
  const table = tableOf(value)
  const [shown, setShown] = useState(page)
  /** While the user types the table as text, the text field stays: cells in its place would take the focus from it. */
  const [isTyped, setIsTyped] = useState(false)
  const section = useRef<HTMLElement>(null)
  const hasCells = table.columns.length > 0 && !isTyped
  const save = (next: Table) => change(next.columns.length === 0 ? undefined : textOf(next))
  const putBack = () => {
    try {
      change(() => value)
    } catch (error) {
      tellError(error, 'Not undone')
    }
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const isMeant = hasCells ? replacesTable(text) : value.trim() === '' && isSheet(text)
    if (disabled || !isMeant) return
    event.preventDefault()
    // The field that had the focus may be gone. Without the focus in another one, the next keys would be shortcuts of the editor.
    flushSync(() => {
      setIsTyped(false)
      save(tableOf(text))
    })
    section.current?.querySelector('input')?.focus()
    if (hasCells) tellUndoable('The pasted cells have replaced the table', thenCanvas(putBack))
  }
  // The button that was pressed disappears with what it removes. What takes its place gets the focus, so that the keys of a user who
  // goes on by keyboard do not reach the editor as shortcuts.
  const removeRow = (row: number) => {
    flushSync(() => save({ ...table, rows: table.rows.filter((_, at) => at !== row) }))
    const places = section.current?.querySelectorAll<HTMLElement>('tbody button')
    const next =
      places?.[Math.min(row, places.length - 1)] ?? section.current?.querySelector<HTMLElement>('.table-foot button')
    next?.focus()
  }
  const clear = () => {
    flushSync(() => change(undefined))
    section.current?.querySelector('textarea')?.focus()
  }
  const setCell = (row: number, column: number, cell: string) => save(withCell(table, row, column, cell))
  const setColumn = (column: number, name: string) =>
    save({ ...table, columns: table.columns.map((before, at) => (at === column ? name.trim() || before : before)) })
  return (
    <section className="table-entry" aria-label={label} onPaste={paste} ref={section}>
      {hasCells ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by keyboard.
        <div className="table-scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {table.columns.map((name, column) => (
                  <th key={`${column} ${name}`} scope="col">
                    <input
                      aria-label={`Name of column ${column + 1}`}
                      defaultValue={name}
                      disabled={disabled}
                      onBlur={(event) => {
                        if (event.currentTarget.value !== name) setColumn(column, event.currentTarget.value)
                      }}
                    />
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {table.rows.slice(0, shown).map((cells, row) => (
                <tr key={row}>
                  {cells.map((cell, column) => (
                    <td key={column}>
                      <input
                        key={cell}
                        aria-label={`${table.columns[column]}, row ${row + 1}`}
                        defaultValue={cell}
                        disabled={disabled}
                        onBlur={(event) => {
                          if (event.currentTarget.value !== cell) setCell(row, column, event.currentTarget.value)
                        }}
                      />
                    </td>
                  ))}
                  <td>
                    {disabled ? null : (
                      <Tooltip label="Remove the row">
                        <ActionIcon size="sm" aria-label={`Remove row ${row + 1}`} onClick={() => removeRow(row)}>
                          <Icon name="close" size={12} />
                        </ActionIcon>
                      </Tooltip>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <textarea
          className="table-paste"
          aria-label="Paste a table"
          placeholder={'Paste cells from a spreadsheet.\nThe first row names the columns.'}
          rows={3}
          disabled={disabled}
          value={value}
          onChange={(event) => {
            setIsTyped(true)
            change(event.currentTarget.value || undefined, true)
          }}
          onBlur={(event) => {
            // When the window loses the focus, the field gets a blur event too, but keeps the focus in the page.
            if (document.activeElement !== event.currentTarget) setIsTyped(false)
          }}
        />
      )}
      {error === null ? null : <p className="hint problem">{error}</p>}
      {hasCells ? (
        <Foot
          {...{ table, disabled, clear }}
          hidden={table.rows.length - shown}
          showMore={() => setShown(shown + 4 * page)}
          addRow={() => {
            setShown(Math.max(shown, table.rows.length + 1))
            save({ ...table, rows: [...table.rows, table.columns.map((_, at) => (at === 0 ? 'new' : ''))] })
          }}
          addColumn={() => save({ columns: [...table.columns, ''], rows: table.rows.map((cells) => [...cells, '']) })}
        />
      ) : null}
    </section>
  )
}

type FootProps = Pick<Props, 'disabled'> & {
  table: Table
  /** How many rows are not shown; none if it is 0 or less. */
  hidden: number
  showMore: () => void
  addRow: () => void
  addColumn: () => void
  clear: () => void
}

const Foot = ({ table, disabled, hidden, showMore, addRow, addColumn, clear }: FootProps) => (
  <div className="table-foot">
    <span className="hint">
      {table.rows.length} {table.rows.length === 1 ? 'row' : 'rows'}
      {disabled ? '' : '. Paste cells to replace it all.'}
    </span>
    {hidden > 0 ? (
      <Button size="compact-xs" variant="subtle" onClick={showMore}>
        {hidden} more rows
      </Button>
    ) : null}
    {disabled ? null : (
      <>
        <Button size="compact-xs" variant="default" onClick={addRow}>
          Add a row
        </Button>
        <Button size="compact-xs" variant="default" onClick={addColumn}>
          Add a column
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={clear}>
          Clear
        </Button>
      </>
    )}
  </div>
)

const withCell = (table: Table, row: number, column: number, cell: string): Table => ({
  ...table,
  rows: table.rows.map((cells, at) =>
    at === row ? cells.map((before, place) => (place === column ? cell : before)) : cells,
  ),
})
