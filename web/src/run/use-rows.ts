// In charge of the rows of a table that is edited at a gate. The draft of the question is the table's JSON text, as it is for every value,
// so that the same draft can be edited as rows and as JSON.
import { useEffect, useRef } from 'react'
import { type Rows, rowsIn, textOfRows } from './gate-rows.ts'

export type EditedRows = {
  /** Null while the text is no table, for example because the user is typing JSON. */
  rows: Rows | null
  edit: (change: (rows: Rows) => Rows) => void
  /**
   * Returns a function that makes the change `back`, which undoes an earlier one. It throws if the table was changed otherwise meanwhile.
   * `isStill` tells whether the rows are still such that the change can be undone; if it is left out, other edits of cells and rows
   * do not hinder.
   */
  undoing: (back: (rows: Rows) => Rows, isStill?: (rows: Rows) => boolean) => () => void
}

/** `parsed` counts how often the text was set by anything but `edit`: from then on, earlier edits cannot be undone one by one. */
type Kept = { text: string; rows: Rows | null; parsed: number }

/** `isTable`: whether the gate asks about a table; otherwise the text is never read as one. */
export function useRows(isTable: boolean, text: string, setText: (text: string) => void): EditedRows {
  const kept = useRef<Kept | null>(null)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const { current } = kept
  // Rows that were not changed stay the same objects, so that only changed ones are drawn again.
  if (current?.text !== text)
    kept.current = { text, rows: isTable ? rowsIn(text) : null, parsed: (current?.parsed ?? 0) + 1 }
  const edit = (change: (rows: Rows) => Rows) => {
    const before = kept.current
    if (!before?.rows) return
    const rows = change(before.rows)
    kept.current = { text: textOfRows(rows), rows, parsed: before.parsed }
    setText(kept.current.text)
  }
  const undoing = (back: (rows: Rows) => Rows, isStill = (_rows: Rows) => true) => {
    const parsed = kept.current?.parsed
    return () => {
      const now = kept.current
      if (!isShown.current) throw new Error('The question is not open any more.')
      if (!now?.rows || now.parsed !== parsed || !isStill(now.rows)) throw new Error('The table was changed since.')
      edit(back)
    }
  }
  return { rows: kept.current?.rows ?? null, edit, undoing }
}
