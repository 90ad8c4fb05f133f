// In charge of where a key in a cell of a table leads: as in a spreadsheet, as long as the key is not needed for the text of the cell. Pure.

type Pressed = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean }
/** How long the text of the cell is, and what of it is selected. Null if the cell has no text that keys move in, such as a choice. */
export type Selected = { length: number; start: number; end: number } | null
export type Step = { rows: number; columns: number }

const arrows: ReadonlyMap<string, Step> = new Map([
  ['ArrowUp', { rows: -1, columns: 0 }],
  ['ArrowDown', { rows: 1, columns: 0 }],
  ['ArrowLeft', { rows: 0, columns: -1 }],
  ['ArrowRight', { rows: 0, columns: 1 }],
])

/**
 * The step to the next cell; null if the key is for the text. Arrows lead out of a cell at that end of its text, and from anywhere while
 * all of it is selected, as it is when one comes by key. Enter goes down, or breaks the line if `breaksLines` or with Shift or Alt.
 */
export function stepOf(pressed: Pressed, selected: Selected, breaksLines: boolean): Step | null {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed
  if (ctrlKey || metaKey || altKey || shiftKey) return null
  if (key === 'Enter') return breaksLines ? null : { rows: 1, columns: 0 }
  const step = arrows.get(key)
  if (step === undefined) return null
  // Up and down change a choice.
  if (selected === null) return step.rows === 0 ? step : null
  const { length, start, end } = selected
  const isAll = start === 0 && end === length
  const edge = step.rows + step.columns < 0 ? 0 : length
  return isAll || (start === end && start === edge) ? step : null
}
