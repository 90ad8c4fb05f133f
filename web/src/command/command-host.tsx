// In charge of opening the command palette from anywhere. Its script is loaded when the page is idle; text that is typed before
// that is kept for it.
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { whenIdle } from '../lib/when-idle.ts'
import {
  areCommandsOpen,
  closeCommands,
  isCommandKey,
  openCommands,
  typeAhead,
  useCommands,
} from '../ui/command-store.ts'
import { tell } from '../ui/toasts.tsx'

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
    // In the capture phase, before the focused element gets the key: editors and dialogs have keys of their own.
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

function Coming() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') closeCommands()
      else if (event.key.length === 1 || event.key === 'Backspace') typeAhead(event.key)
      else return
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
    tell('This needs a connection. Load the page again once you are back.')
    closeCommands()
  }, [])
  return null
}
