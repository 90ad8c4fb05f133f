// In charge of editing a table at a gate as rows and columns, as in a spreadsheet. Its script is loaded when a gate asks about a table.
import { Button } from '@mantine/core'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../ui/icons.tsx'
import { isCommand, isComposed } from '../ui/keys.ts'
import { isForCells, pastedCells } from '../ui/table-paste.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { GateCell } from './gate-cell.tsx'
import {
  type Column,
  cellsAtMost,
  type Problem,
  type Row,
  type Rows,
  valueIn,
  withCell,
  withNewRow,
  withoutRow,
  withPasted,
  withRowBack,
} from './gate-rows.ts'
import { type Selected, stepOf } from './gate-table-keys.ts'
import './gate-table.css'
import type { EditedRows } from './use-rows.ts'

type Props = {
  label: string
  rows: Rows
  columns: readonly Column[]
  problems: readonly Problem[]
  edit: EditedRows['edit']
  undoing: EditedRows['undoing']
}

/** How many rows are shown at first; a button shows more. */
const page = 100

export function GateTable(props: Props) {
  const { label, rows, columns, problems } = props
  const [shown, setShown] = useState(page)
  const table = useRef<HTMLDivElement>(null)
  useFocusFirst(table)
  /** Moves the focus to a cell, whose text is then selected, so that what is typed next replaces it. */
  const goTo = (row: number, column: number): boolean => {
    if (row >= shown) flushSync(() => setShown(row + page))
    const cell = table.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)
    cell?.focus()
    if (cell instanceof HTMLTextAreaElement) cell.select()
    return cell !== null && cell !== undefined
  }
  const changes = useChanges(props, table, goTo)
  return (
    <div className="gate-table" ref={table}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark; a fieldset is for forms. */}
      <div className="gate-table-scroll" role="group" aria-label={label}>
        <table onClick={focusField} onKeyDown={(event) => onKey(event, goTo)} onPaste={changes.paste}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Row</span>
              </th>
              {columns.map(({ name, kind }) => (
                <th key={name} scope="col">
                  {name}
                  {kind === 'number' || kind === 'boolean' ? (
                    <span className="hint"> {kind === 'number' ? 'number' : 'true or false'}</span>
                  ) : null}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              <TableRow key={at} {...{ row, at, columns }} set={changes.set} remove={changes.remove} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="gate-table-foot">
        <Button size="compact-sm" variant="default" data-add onClick={changes.add}>
          Add a row
        </Button>
        {rows.length > shown ? (
          <Button size="compact-sm" variant="subtle" onClick={() => setShown(shown + 2 * page)}>
            {rows.length - shown} more rows
          </Button>
        ) : null}
        <span className="hint">
          {rows.length} {rows.length === 1 ? 'row' : 'rows'}. Cells of a spreadsheet can be pasted.
        </span>
        <Problems problems={problems} goTo={goTo} />
      </div>
    </div>
  )
}

/** The first problem, with a button that leads to its cell, and how many there are beside it. */
function Problems({
  problems,
  goTo,
}: {
  problems: readonly Problem[]
  goTo: (row: number, column: number) => boolean
}) {
  const [first] = problems
  return (
    <div role="status" className="gate-table-problem">
      {first ? (
        <>
          <span className="problem">
            {first.words}
            {problems.length > 1
              ? ` ${problems.length - 1} more ${problems.length === 2 ? 'cell has' : 'cells have'} a problem.`
              : ''}
          </span>
          <Button size="compact-sm" variant="default" onClick={() => goTo(first.row, first.column)}>
            Go to the cell
          </Button>
        </>
      ) : null}
    </div>
  )
}

/** The stage has the focus if the table was not loaded when the stage gave the focus to what comes first. */
function useFocusFirst(table: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    if (document.activeElement === table.current?.closest('.gate-stage'))
      table.current?.querySelector<HTMLElement>('textarea:not(:read-only), select')?.focus()
  }, [table])
}

type GoTo = (row: number, column: number) => boolean

/** The changes that the user can make. All functions stay the same, so that rows that are not changed are not drawn again. */
function useChanges({ rows, columns, edit, undoing }: Props, table: RefObject<HTMLDivElement | null>, goTo: GoTo) {
  const offerUndo = (text: string, undo: () => void) =>
    tellUndoable(text, () => {
      try {
        undo()
      } catch (error) {
        tellError(error, 'Not undone')
      }
    })
  const isTooMuch = (count: number): boolean => {
    if (count * columns.length <= cellsAtMost) return false
    tell(`A table may have at most ${cellsAtMost.toLocaleString('en')} cells here. Edit it as JSON to add more.`)
    return true
  }
  const add = () => {
    if (isTooMuch(rows.length + 1)) return
    flushSync(() => edit((before) => withNewRow(before, columns)))
    goTo(rows.length, 0)
  }
  const remove = (at: number) => {
    const row = rows[at]
    if (row === undefined) return
    flushSync(() => edit((before) => withoutRow(before, at)))
    // The pressed button may be gone. What takes its place gets the focus, or else keys would reach the stage.
    const left = table.current?.querySelectorAll<HTMLElement>('[data-remove]')
    const next = left?.[Math.min(at, left.length - 1)] ?? table.current?.querySelector<HTMLElement>('[data-add]')
    next?.focus()
    offerUndo(
      `Removed row ${at + 1}`,
      undoing((before) => withRowBack(before, at, row)),
    )
  }
  const paste = (event: ClipboardEvent) => {
    const place = placeOf(event.target)
    const [text, html] = [event.clipboardData.getData('text/plain'), event.clipboardData.getData('text/html')]
    if (place === null || !isForCells({ text, html }, selectedIn(event.target) ?? { length: 0, start: 0, end: 0 }))
      return
    event.preventDefault()
    const pasted = withPasted(rows, columns, place, pastedCells(text))
    if (isTooMuch(pasted.rows.length)) return
    flushSync(() => edit(() => pasted.rows))
    goTo(place.row, place.column)
    offerUndo(
      pastedWords(pasted),
      undoing(
        () => rows,
        (now) => now === pasted.rows,
      ),
    )
  }
  const set = (row: number, name: string, value: unknown) => edit((before) => withCell(before, row, name, value))
  const latest = useRef({ add, remove, paste, set })
  latest.current = { add, remove, paste, set }
  const [stable] = useState(() => ({
    add: () => latest.current.add(),
    remove: (at: number) => latest.current.remove(at),
    paste: (event: ClipboardEvent) => latest.current.paste(event),
    set: (row: number, name: string, value: unknown) => latest.current.set(row, name, value),
  }))
  return stable
}

function pastedWords({ count, leftOut }: { count: number; leftOut: number }): string {
  const done = `Pasted into ${count} ${count === 1 ? 'row' : 'rows'}.`
  if (leftOut === 0) return done
  return `${done} ${leftOut} ${leftOut === 1 ? 'cell' : 'cells'} found no place and ${leftOut === 1 ? 'was' : 'were'} left out.`
}

type RowProps = {
  row: Row
  at: number
  columns: readonly Column[]
  set: (row: number, name: string, value: unknown) => void
  remove: (at: number) => void
}

const TableRow = memo(({ row, at, columns, set, remove }: RowProps) => (
  <tr>
    <th scope="row">{at + 1}</th>
    {columns.map((column, place) => (
      <GateCell key={column.name} value={valueIn(row, column.name)} column={column} row={at} at={place} set={set} />
    ))}
    <td>
      <button
        type="button"
        className="gate-table-remove"
        data-remove
        aria-label={`Remove row ${at + 1}`}
        title="Remove the row"
        onClick={() => remove(at)}
      >
        <Icon name="close" size={14} />
      </button>
    </td>
  </tr>
))

function placeOf(target: EventTarget): { row: number; column: number } | null {
  if (!(target instanceof HTMLElement) || target.dataset.row === undefined) return null
  return { row: Number(target.dataset.row), column: Number(target.dataset.column) }
}

const selectedIn = (target: EventTarget): Selected =>
  target instanceof HTMLTextAreaElement
    ? { length: target.value.length, start: target.selectionStart, end: target.selectionEnd }
    : null

/** In a row with several lines, a field may be lower than its cell, of which the rest is for the field too. */
function focusField({ target }: MouseEvent): void {
  if (target instanceof HTMLTableCellElement) target.querySelector<HTMLElement>('textarea, select')?.focus()
}

/** The keyboard of a touchscreen has no Shift with Enter: there, Enter breaks the line, and a tap goes on. */
const breaksByEnter = (): boolean => matchMedia('(hover: none)').matches

function onKey(event: KeyboardEvent, goTo: GoTo): void {
  const place = placeOf(event.target)
  if (place === null || event.defaultPrevented || isComposed(event)) return
  if (event.key === 'Enter' && event.altKey && event.target instanceof HTMLTextAreaElement) {
    event.preventDefault()
    // Unlike a change of the value, this is an input like a typed one, which the user can also undo.
    if (!event.target.readOnly) document.execCommand('insertText', false, '\n')
    return
  }
  const step = stepOf(event, selectedIn(event.target), breaksByEnter())
  if (step === null) return
  const isHeld = event.key === 'Enter' && !isCommand(event)
  if (isHeld || goTo(place.row + step.rows, place.column + step.columns) || event.key === 'Enter')
    event.preventDefault()
}
