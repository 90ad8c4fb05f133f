// In charge of what a key on the board means: where the focus goes among the cards, and what is asked for. Pure.

export type Place = { column: number; row: number }

export type KeyMeaning =
  | { kind: 'go'; to: Place }
  | { kind: 'search' | 'help' | 'new' | 'select' | 'move' | 'delete' | 'leave' | 'filter' | 'undo' }

const steps: Record<string, { column: number; row: number }> = {
  j: { column: 0, row: 1 },
  ArrowDown: { column: 0, row: 1 },
  k: { column: 0, row: -1 },
  ArrowUp: { column: 0, row: -1 },
  l: { column: 1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  h: { column: -1, row: 0 },
  ArrowLeft: { column: -1, row: 0 },
}

const asked: Record<string, Exclude<KeyMeaning, { kind: 'go' }>['kind']> = {
  '/': 'search',
  '?': 'help',
  n: 'new',
  f: 'filter',
  x: 'select',
  m: 'move',
  z: 'undo',
  Delete: 'delete',
  Escape: 'leave',
}

/** `at` is the card that has the focus; `lengths` are the numbers of cards in the columns. */
export function meaningOf(key: string, at: Place | null, lengths: readonly number[]): KeyMeaning | null {
  const step = steps[key]
  if (step) {
    const to = placeAfter(step, at, lengths)
    return to ? { kind: 'go', to } : null
  }
  const kind = asked[key]
  return kind ? { kind } : null
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
  // Over empty columns to the next one with cards, in the same row or the last there is.
  for (let column = at.column + step.column; column >= 0 && column < lengths.length; column += step.column) {
    const length = lengths[column] ?? 0
    if (length > 0) return { column, row: Math.min(at.row, length - 1) }
  }
  return null
}
