// In charge of opening the list of the keyboard shortcuts, by the key `?` for one, and of what is in it. The script of the dialog is
// loaded when it is first opened.
import { useEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { commandKeyWords } from './command-store.ts'
import { lazyDialog } from './lazy-dialog.tsx'
import { isForPage } from './page-keys.ts'

const opened = createStore(false)
export const openShortcutHelp = (): void => opened.set(true)
const close = (): void => opened.set(false)

export type Shortcuts = readonly (readonly [group: string, keys: readonly (readonly [key: string, means: string])[]])[]
/** The shortcuts of the open page, which are listed before those that work everywhere. */
const ofPage = createStore<Shortcuts>([])

/** Sets the shortcuts of the open page. Returns a function that removes them: a React effect can use it as its cleanup. */
export function setPageShortcuts(shortcuts: Shortcuts): () => void {
  ofPage.set(shortcuts)
  return () => ofPage.set([])
}

const everywhere: Shortcuts[number] = [
  'Everywhere',
  [
    [commandKeyWords, 'Go to a task, graph, run, creative or page; make, move, assign or run a task'],
    ['?', 'This list'],
  ],
]

const ShortcutList = lazyDialog(
  'the list',
  async () => (await import('./shortcut-list.tsx')).ShortcutList,
  () => ({ title: 'Keyboard shortcuts', close }),
)

function openByKey(event: KeyboardEvent): void {
  if (event.key !== '?' || !isForPage(event)) return
  event.preventDefault()
  openShortcutHelp()
}

export function ShortcutHelp() {
  useEffect(() => {
    // Listens on the window, which gets a key after the document does: there, pages listen, and may take the key for themselves.
    addEventListener('keydown', openByKey)
    return () => removeEventListener('keydown', openByKey)
  }, [])
  const isOpen = useStore(opened, (value) => value)
  const shortcuts = useStore(ofPage, (value) => value)
  if (!isOpen) return null
  return <ShortcutList shortcuts={[...shortcuts, everywhere]} close={close} />
}
