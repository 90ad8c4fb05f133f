// In charge of deciding which action a key means in the editor. Pure.
import type { Direction } from '../canvas/arrange.ts'

export type KeyMeaning =
  | { kind: 'walk' | 'nudge'; direction: Direction }
  | { kind: 'undo' | 'redo' | 'copy' | 'cut' | 'paste' | 'duplicate' | 'all' }
  | { kind: 'remove' | 'palette' | 'open' | 'leave' | 'arrange' | 'issues' | 'fit' }
  | { kind: 'run' | 'runTo' | 'leadOn' | 'menu' | 'note' | 'frame' }

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
type Plain = Exclude<KeyMeaning, { kind: 'walk' | 'nudge' }>['kind']
const withCommand: Readonly<Record<string, Plain>> = {
  c: 'copy',
  x: 'cut',
  v: 'paste',
  d: 'duplicate',
  a: 'all',
  y: 'redo',
}
const alone: Readonly<Record<string, Plain>> = {
  Delete: 'remove',
  Backspace: 'remove',
  '/': 'palette',
  Enter: 'open',
  Escape: 'leave',
  l: 'arrange',
  i: 'issues',
  f: 'fit',
  r: 'run',
  u: 'runTo',
  a: 'leadOn',
  m: 'menu',
  n: 'note',
  g: 'frame',
  ContextMenu: 'menu',
}

export function meaningOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): KeyMeaning | null {
  if (altKey) return null
  if (ctrlKey || metaKey) {
    const letter = key.toLowerCase()
    if (letter === 'z') return { kind: shiftKey ? 'redo' : 'undo' }
    const kind = withCommand[letter]
    return kind && !shiftKey ? { kind } : null
  }
  const direction = arrows[key]
  if (direction) return { kind: shiftKey ? 'nudge' : 'walk', direction }
  const kind = alone[key]
  return kind ? { kind } : null
}

/** Areas in the editor and on the page of a run that get the focus so that they can be scrolled by keyboard. */
export const scrollAreas = '.canvas-note, .table-scroll, .value-table'

type Area = Pick<Element, 'scrollWidth' | 'clientWidth' | 'scrollHeight' | 'clientHeight'>

/** Whether a key scrolls the area that has the focus, and so does not go to another node. `area`: null if no such area has it. */
export function scrollsArea(
  { key, shiftKey }: Pick<Pressed, 'key' | 'shiftKey'>,
  area: Area | null | undefined,
): boolean {
  const direction = arrows[key]
  if (!area || !direction || shiftKey) return false
  // One pixel more is not text that is out of sight: browsers round these sizes up and down.
  return direction === 'left' || direction === 'right'
    ? area.scrollWidth > area.clientWidth + 1
    : area.scrollHeight > area.clientHeight + 1
}

/** The list of keyboard shortcuts that the key `?` shows in the editor. */
export const editorShortcuts = [
  [
    'Walk',
    [
      ['↑ ↓ ← →', 'The next node that way'],
      ['Enter', 'Into the fields of the node'],
      ['Esc', 'Out of them, clear the selection'],
      ['f', 'See the whole graph'],
    ],
  ],
  [
    'Build',
    [
      ['/', 'Find a node type; Enter adds it'],
      ['a', 'Lead on from the node to a new one'],
      ['m', 'The menu of the node'],
      ['n', 'A note'],
      ['g', 'A frame around what is selected'],
      ['Shift ↑ ↓ ← →', 'Move what is selected'],
      ['Del', 'Remove what is selected'],
      ['Ctrl C  V', 'Copy, paste'],
      ['Ctrl D', 'Duplicate'],
      ['Ctrl Z', 'Undo; with Shift, redo'],
      ['l', 'Arrange the nodes'],
      ['i', 'The list of issues'],
    ],
  ],
  [
    'Run here',
    [
      ['r', 'Everything'],
      ['u', 'Up to the selected node'],
    ],
  ],
] as const
