// In charge of opening the viewer over any page, and of closing it when the user goes back in the browser. The viewer's script is loaded when the first picture is opened.
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { isReachable } from '../lib/reachable.ts'
import { goneLabel, goneWords } from '../ui/gone-scripts.ts'
import { tell, tellOffer } from '../ui/toasts.tsx'
import { closeViewer, useViewer } from '../ui/viewer-store.ts'
import type { ViewerProps } from './viewer.tsx'
import { keepEntry } from './viewer-entry.ts'

const Viewer = lazy(() =>
  import('./viewer.tsx').then(
    (loaded) => ({ default: loaded.Viewer }),
    () => ({ default: NotLoaded }),
  ),
)

export function ViewerHost() {
  const opened = useViewer()
  const { history } = useRouter()
  useEffect(() => keepEntry(history), [history])
  if (!opened) return null
  return (
    <Suspense fallback={null}>
      <Viewer pictures={opened.pictures} first={opened.at} firstBeside={opened.beside} reviewed={opened.reviewed} />
    </Suspense>
  )
}

/** Stands in for the viewer if its script cannot be loaded. Nothing is tried again: only a reload of the page helps. */
function NotLoaded(_props: ViewerProps) {
  useEffect(() => {
    void tellWhy()
    closeViewer()
  }, [])
  return null
}

/** The page is not reloaded by itself, because it may have changes that are not saved. */
async function tellWhy(): Promise<void> {
  if (await isReachable())
    tellOffer(goneWords('the viewer'), { label: goneLabel, act: () => location.reload() }, 'viewer not loaded')
  else tell('Pictures cannot be shown large without a connection. Load the page again once you are back.')
}
