// In charge of opening the command palette from any page. The palette's script is loaded when the browser is idle; text that is
// typed before it has loaded is kept for the palette.
import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { whenIdle } from '../lib/when-idle.ts'
import {
  areCommandsOpen,
  closeCommands,
  isCommandKey,
  openCommands,
  typeAhead,
  useCommands,
} from '../ui/command-store.ts'
import { tellNotLoaded } from '../ui/tell-not-loaded.ts'

const load = () => import('./command-dialog.tsx')
const CommandDialog = lazy(async (): Promise<{ default: ComponentType }> => {
  const loaded = await load().catch(() => null)
  return { default: loaded?.CommandDialog ?? NotLoaded }
})

export function CommandHost() {
  const opened = useCommands()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isCommandKey(event)) return
      event.preventDefault()
      event.stopPropagation()
      if (areCommandsOpen()) closeCommands()
      else openCommands()
    }
    // Listens in the capture phase, before the focused element gets the key, because editors and dialogs react to keys themselves.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [])
  if (!opened) return null
  return (
    <Suspense fallback={<Coming />}>
      <CommandDialog />
    </Suspense>
  )
}

/** Other keys that belong to the palette. Until it is there they do nothing; Enter would open the card that still has the focus. */
const forPalette: readonly string[] = ['Enter', 'Tab', 'ArrowUp', 'ArrowDown']

function Coming() {
  // Ends in the very commit in which the palette takes the focus: a key in between would be kept here, and the palette would not read it.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') closeCommands()
      else if (event.key.length === 1 || event.key === 'Backspace') typeAhead(event.key)
      else if (!forPalette.includes(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return null
}

function NotLoaded() {
  useEffect(() => {
    void tellNotLoaded('the command palette', 'This needs a connection.')
    closeCommands()
  }, [])
  return null
}
