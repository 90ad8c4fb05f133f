// In charge of where the viewer comes up: over every page, its script fetched when the first picture is opened.
import { lazy, Suspense, useEffect } from 'react'
import { tell } from '../ui/toasts.tsx'
import { closeViewer, useViewer, type Viewed } from '../ui/viewer-store.ts'

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
      <Viewer pictures={opened.pictures} first={opened.at} firstBeside={opened.beside} />
    </Suspense>
  )
}

/** Without a connection the picture would not come either. */
function NotLoaded(_props: { pictures: readonly Viewed[]; first: number; firstBeside: number | null }) {
  useEffect(() => {
    tell('Pictures cannot be shown large without a connection. Load the page again once you are back.')
    closeViewer()
  }, [])
  return null
}
