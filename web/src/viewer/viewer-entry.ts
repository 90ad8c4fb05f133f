// In charge of the entry that the open viewer has in the browser's history: by it, Back closes the viewer, as on a phone, and leaves
// the page as it is. Stepping to another picture adds no entry, and closing the viewer takes its entry away. If a link in the viewer
// leads on, the entry stays between the two pages, and Back and Forward both pass over it.
import type { RouterHistory } from '@tanstack/react-router'
import { closeViewer, isViewerOpen, watchViewer } from '../ui/viewer-store.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the entry is the viewer's. Its address is that of the page below. */
    isViewers?: boolean
  }
}

/** Keeps an entry for the viewer while it is open. Returns a function that ends this. */
export function keepEntry(history: RouterHistory): () => void {
  /** Whether the browser has been told to leave the entry, and has not done so yet. */
  let isLeaving = false
  const isViewers = () => history.location.state.isViewers === true
  /** The viewer's entries from which a link has led on. Only after these another entry follows, so only they are left forward. */
  const ledOn = new Set<string | undefined>()
  let at = history.location
  const leave = (isForward = false) => {
    if (isLeaving || isViewerOpen() || !isViewers()) return
    isLeaving = true
    if (isForward && ledOn.has(at.state.key)) history.forward({ ignoreBlocker: true })
    else history.back({ ignoreBlocker: true })
  }
  const enter = () => {
    // Without the last option, the page would scroll to what the hash of its address names.
    const state = { isViewers: true, __hashScrollIntoViewOptions: false }
    if (!isLeaving && !isViewers()) history.push(history.location.href, state, { ignoreBlocker: true })
  }
  // A link in the viewer closes it and leads on in the same event: only after that is it clear whether there is an entry to leave.
  let leaving: ReturnType<typeof setTimeout> | undefined
  const onViewer = () => {
    clearTimeout(leaving)
    if (isViewerOpen()) enter()
    else leaving = setTimeout(leave)
  }
  const stops = [
    watchViewer(onViewer),
    history.subscribe(({ location, action: { type } }) => {
      if (type === 'PUSH' && at.state.isViewers === true) ledOn.add(at.state.key)
      at = location
      if (type === 'PUSH' || type === 'REPLACE') return
      if (isLeaving) {
        isLeaving = false
        // Another picture may have been opened meanwhile.
        if (isViewerOpen()) enter()
      } else if (!isViewerOpen()) leave(type === 'FORWARD')
      else if (!isViewers()) close()
    }),
  ]
  // After a reload, the entry of the viewer may be there without the viewer.
  onViewer()
  return () => {
    clearTimeout(leaving)
    for (const stop of stops) stop()
  }
}

/** Closes the viewer as its own button does, which gives the focus back to what had it before. */
function close(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.viewer[open]')
  if (dialog) dialog.close()
  else closeViewer()
}
