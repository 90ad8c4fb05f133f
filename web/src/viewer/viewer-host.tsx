// In charge of opening the viewer over any page, and of closing it when the user goes back in the browser. The viewer's script is loaded when the first picture is opened.
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { tellNotLoaded } from '../ui/tell-not-loaded.ts'
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
    void tellNotLoaded('the viewer', 'Pictures cannot be shown large without a connection.')
    closeViewer()
  }, [])
  return null
}
