// In charge of the meaning of each key on the board: the card or action that it leads to, and the text of the key help. Pure.
import type { Shortcuts } from '../ui/shortcut-help.tsx'

export type Place = { column: number; row: number }

export type KeyMeaning =
  | { kind: 'go'; to: Place }
  | { kind: 'search' | 'new' | 'select' | 'selectTo' | 'bar' | 'move' | 'delete' | 'leave' | 'filter' | 'undo' }

/** The effect of a key: either a step by which the focus moves from card to card, or an action. */
type Act = { column: number; row: number } | Exclude<KeyMeaning, { kind: 'go' }>['kind']
/** A line of the key help. `keys` is empty if another component handles these keys. `shown`: the text to show instead of `keys`. */
type Line = { keys: Readonly<Record<string, Act>>; shown?: string; means: string }

const [up, down, left, right] = [
  { column: 0, row: -1 },
  { column: 0, row: 1 },
  { column: -1, row: 0 },
  { column: 1, row: 0 },
]

const lines: Readonly<Record<string, readonly Line[]>> = {
  Find: [
    { keys: { '/': 'search' }, means: 'Search' },
    { keys: {}, shown: '↓', means: 'From the search to the first card' },
    { keys: { f: 'filter' }, means: 'Filter' },
  ],
  Walk: [
    { keys: { j: down, k: up }, means: 'Next, previous card' },
    { keys: { h: left, l: right }, means: 'Column to the left, right' },
    {
      keys: { ArrowUp: up, ArrowDown: down, ArrowLeft: left, ArrowRight: right },
      shown: '↑ ↓ ← →',
      means: 'The same; in the gallery, from picture to picture',
    },
    { keys: {}, shown: 'Enter', means: 'Open the card; in the gallery, the picture' },
    { keys: { Escape: 'leave' }, shown: 'Esc', means: 'Close, clear the selection' },
  ],
  Work: [
    { keys: { n: 'new' }, means: 'New task in the column' },
    { keys: { x: 'select' }, means: 'Select the card' },
    { keys: { X: 'selectTo' }, shown: 'Shift X', means: 'Select from the last selected card to this one' },
    { keys: { b: 'bar' }, means: 'Go to the actions for the selected cards' },
    { keys: { m: 'move' }, means: 'Menu of the card: move, copy its link, delete' },
    { keys: {}, shown: 'Space', means: 'Pick the card up; arrows carry it, Space drops it' },
    { keys: { Delete: 'delete' }, shown: 'Del', means: 'Delete the card; if it is selected, all selected ones' },
    { keys: { z: 'undo' }, means: 'Undo the last move or deletion, while its message is shown' },
  ],
}

/** The board's part of the list of keyboard shortcuts. */
export const boardShortcuts: Shortcuts = Object.entries(lines).map(([group, rows]) => [
  group,
  rows.map(({ keys, shown, means }) => [shown ?? Object.keys(keys).join('  '), means]),
])

const acts: Readonly<Record<string, Act>> = Object.assign(
  {},
  ...Object.values(lines).flatMap((rows) => rows.map(({ keys }) => keys)),
)

/**
 * The meaning of a key; null if the key does nothing. `at`: the position of the card that has the focus, or null if no card has it;
 * `lengths`: the number of cards in each column.
 */
export function meaningOf(key: string, at: Place | null, lengths: readonly number[]): KeyMeaning | null {
  const act = acts[key]
  if (act === undefined) return null
  if (typeof act === 'string') return { kind: act }
  const to = placeAfter(act, at, lengths)
  return to ? { kind: 'go', to } : null
}

function placeAfter(step: Place, at: Place | null, lengths: readonly number[]): Place | null {
  if (at === null) {
    const first = lengths.findIndex((length) => length > 0)
    return first === -1 ? null : { column: first, row: 0 }
  }
  if (step.column === 0) {
    const row = at.row + step.row
    return row >= 0 && row < (lengths[at.column] ?? 0) ? { column: at.column, row } : null
  }
  // Skips empty columns. In the first other column, returns the card in the same row, or the last card if there are fewer rows.
  for (let column = at.column + step.column; column >= 0 && column < lengths.length; column += step.column) {
    const length = lengths[column] ?? 0
    if (length > 0) return { column, row: Math.min(at.row, length - 1) }
  }
  return null
}
