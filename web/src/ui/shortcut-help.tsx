// In charge of the list of keyboard shortcuts, which `?` shows.
import { Kbd, Modal } from '@mantine/core'
import { createStore, useStore } from '../lib/store.ts'
import { commandKeyWords } from './command-store.ts'

const opened = createStore(false)
export const openShortcutHelp = (): void => opened.set(true)

export type Shortcuts = readonly (readonly [group: string, keys: readonly (readonly [key: string, means: string])[]])[]
/** Those of the page that is open, where it has others than the board. */
const ofPage = createStore<Shortcuts | null>(null)

/** Answers what takes them back, as effects do. */
export function setPageShortcuts(shortcuts: Shortcuts): () => void {
  ofPage.set(shortcuts)
  return () => ofPage.set(null)
}

const everywhere: Shortcuts[number] = [
  'Everywhere',
  [
    [commandKeyWords, 'Go to a task, graph, run, creative or page; make, move, assign or run a task'],
    ['?', 'This list'],
  ],
]

const ofBoard: Shortcuts = [
  [
    'Find',
    [
      ['/', 'Search'],
      ['↓', 'From the search to the first card'],
      ['f', 'Filter'],
    ],
  ],
  [
    'Walk',
    [
      ['j  k', 'Next, previous card'],
      ['h  l', 'Column to the left, right'],
      ['↑ ↓ ← →', 'The same; in the gallery, from picture to picture'],
      ['Enter', 'Open the card; in the gallery, the picture'],
      ['Esc', 'Close, clear the selection'],
    ],
  ],
  [
    'Work',
    [
      ['n', 'New task in the column'],
      ['x', 'Select the card'],
      ['m', 'Menu of the card: move, copy its link, delete'],
      ['Space', 'Pick the card up; arrows carry it, Space drops it'],
      ['Del', 'Delete the card'],
      ['z', 'Undo the last move or deletion, while its message is shown'],
    ],
  ],
]

export function ShortcutHelp() {
  const isOpen = useStore(opened, (value) => value)
  const shortcuts = useStore(ofPage, (value) => value) ?? ofBoard
  return (
    <Modal opened={isOpen} onClose={() => opened.set(false)} title="Keyboard shortcuts">
      {[...shortcuts, everywhere].map(([group, keys]) => (
        <section key={group}>
          <h3 className="shortcut-group">{group}</h3>
          <dl className="shortcuts">
            {keys.map(([key, means]) => (
              <div key={key}>
                <dt>
                  <Kbd>{key}</Kbd>
                </dt>
                <dd>{means}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  )
}
