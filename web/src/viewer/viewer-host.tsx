// In charge of opening the viewer over any page. The viewer's script is loaded when the first picture is opened.
import { lazy, Suspense, useEffect } from 'react'
import { tell } from '../ui/toasts.tsx'
import { closeViewer, useViewer } from '../ui/viewer-store.ts'
import type { ViewerProps } from './viewer.tsx'

const Viewer = lazy(() =>
  import('./viewer.tsx').then(
    (loaded) => ({ default: loaded.Viewer }),
    () => ({ default: NotLoaded }),
  ),
)

export function ViewerHost() {
  const opened = useViewer()
  if (!opened) return null
  return (
    <Suspense fallback={null}>
      <Viewer pictures={opened.pictures} first={opened.at} firstBeside={opened.beside} reviewed={opened.reviewed} />
    </Suspense>
  )
}

/** Stands in for the viewer if its script cannot be loaded. Nothing is tried again: offline, no picture could be loaded either. */
function NotLoaded(_props: ViewerProps) {
  useEffect(() => {
    tell('Pictures cannot be shown large without a connection. Load the page again once you are back.')
    closeViewer()
  }, [])
  return null
}
