// In charge of one cell of a table that is edited at a gate: a text field, a choice of true and false, or a list or an object to look at.
import { type KeyboardEvent, useRef, useState } from 'react'
import { isComposed } from '../ui/keys.ts'
import { type Column, cellProblem, isNested, readCell, textOfCell } from './gate-rows.ts'

type Props = {
  value: unknown
  column: Column
  row: number
  at: number
  /** Sets the value in a column of a row; undefined if the row is to have none. */
  set: (row: number, name: string, value: unknown) => void
}

/** The most lines that a cell shows before it scrolls. */
const linesAtMost = 8

export function GateCell({ value, column, row, at, set }: Props) {
  const { name, kind } = column
  /** While the user types, the cell shows the text as typed, which may stand for a value that is written otherwise. */
  const [typed, setTyped] = useState<string | null>(null)
  const before = useRef(value)
  const problem = cellProblem(value, kind)
  const problemId = `gate-cell-${row}-${at}`
  const change = (text: string) => {
    setTyped(text)
    set(row, name, readCell(text, before.current, kind))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposed(event) || Object.is(value, before.current)) return
    // The next Escape puts the question aside.
    event.preventDefault()
    setTyped(null)
    set(row, name, before.current)
  }
  const shared = {
    'aria-label': `${name}, row ${row + 1}${kindWords(value, kind)}`,
    'aria-invalid': problem !== null,
    'aria-describedby': problem === null ? undefined : problemId,
    'data-row': row,
    'data-column': at,
    onFocus: () => {
      before.current = value
    },
    onBlur: () => setTyped(null),
    onKeyDown,
  }
  const text = typed ?? textOfCell(value)
  const isTruth = kind === 'boolean' || (kind === 'mixed' && typeof value === 'boolean')
  return (
    <td data-kind={isNested(value) ? 'nested' : typeof value === 'number' || kind === 'number' ? 'number' : undefined}>
      {isTruth ? (
        <select {...shared} value={textOfCell(value)} onChange={(event) => change(event.currentTarget.value)}>
          {kind === 'boolean' ? <option value="">no value</option> : null}
          <option>true</option>
          <option>false</option>
          {problem === null ? null : <option>{text}</option>}
        </select>
      ) : (
        <textarea
          {...shared}
          rows={Math.min(linesAtMost, text.split('\n').length)}
          readOnly={isNested(value)}
          placeholder={value === null || value === undefined ? 'no value' : undefined}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
      {problem === null ? null : (
        <span className="hint problem" id={problemId}>
          {problem}
        </span>
      )}
    </td>
  )
}

/** What a screen reader has to say beside the name and the row, because it is seen only from how the cell looks. */
function kindWords(value: unknown, kind: Column['kind']): string {
  if (isNested(value)) return ', a list or an object, changed as JSON'
  return kind === 'mixed' && typeof value === 'number' ? ', a number' : ''
}
