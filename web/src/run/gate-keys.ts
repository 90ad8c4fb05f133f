// In charge of what each key does while a gate waits for the user to pick among options. Pure.

export type Meaning =
  | { kind: 'pick'; option: number }
  | { kind: 'go'; option: number }
  | { kind: 'roll' }
  | { kind: 'look' }
  | { kind: 'answer' }
type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }
/** `count` options are shown in `columns` columns. `at`: the index of the focused option, or -1 if no option has the focus. */
type Grid = { at: number; count: number; columns: number }

export function meaningOf({ key, ctrlKey, metaKey, altKey }: Pressed, { at, count, columns }: Grid): Meaning | null {
  if (ctrlKey || metaKey || altKey) return null
  if (/^[1-9]$/.test(key)) return Number(key) <= count ? { kind: 'pick', option: Number(key) - 1 } : null
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  const step = steps[key]
  if (step !== undefined) return { kind: 'go', option: Math.min(Math.max(0, at + step), count - 1) }
  if (key === 'r') return at < 0 ? null : { kind: 'roll' }
  if (key === 'v') return at < 0 ? null : { kind: 'look' }
  return key === 'Enter' ? { kind: 'answer' } : null
}
