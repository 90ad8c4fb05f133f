// In charge of the picture that stands beside the one looked at: it moves and grows with it.
import { useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { ViewerStage } from './viewer-stage.tsx'
import type { Viewed } from './viewer-store.ts'
import { fitted, type Point, type Size, type View } from './viewer-view.ts'

/** `view`: how the other one lies; null: both are whole. */
type Props = {
  shown: Viewed
  view: View | null
  zoom: (factor: number, point?: Point) => void
  pan: (x: number, y: number) => void
}

export function ViewerBeside({ shown, view, zoom, pan }: Props) {
  const [size, setSize] = useState<Size | null>(null)
  const [stage, setStage] = useState<Size>({ width: 1, height: 1 })
  const link = useFileLink(shown.digest)
  return (
    <figure className="viewer-beside" aria-label={`Beside it: ${shown.name}`}>
      <ViewerStage
        {...{ shown, size, stage, setStage, setSize, zoom, pan }}
        url={link?.url}
        view={size ? (view ?? fitted(size, stage)) : null}
        toggle={() => undefined}
        swipe={() => undefined}
      />
      <figcaption>{shown.name}</figcaption>
    </figure>
  )
}
