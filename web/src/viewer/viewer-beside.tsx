// In charge of the second picture in a comparison; it moves and zooms together with the first.
import { useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import { fitted, type Point, type Size, type View } from '../ui/viewer-view.ts'
import { ViewerStage } from './viewer-stage.tsx'

/**
 * `view`: the position and zoom of the first picture, which this picture takes over; if null, this picture is shown as a whole.
 * `under`: the size of the first picture if this picture lies on top of it; null if both are side by side.
 */
type Props = {
  under: Size | null
  /** The part of this picture that is visible over the first picture, in percent. */
  share: number
  setShare: (share: number) => void
  shown: Viewed
  view: View | null
  zoom: (factor: number, point?: Point) => void
  pan: (x: number, y: number) => void
}

export function ViewerBeside({ shown, under, share, setShare, view, zoom, pan }: Props) {
  const [size, setSize] = useState<Size | null>(null)
  const [stage, setStage] = useState<Size>({ width: 1, height: 1 })
  const link = useFileLink(shown.digest)
  return (
    <>
      <figure className="viewer-beside" aria-label={`Beside it: ${shown.name}`}>
        <ViewerStage
          {...{ shown, size, stage, setStage, setSize, zoom, pan }}
          url={link?.url}
          view={size ? (view ? likeUnder(view, size, under) : fitted(size, stage)) : null}
          toggle={() => undefined}
          swipe={() => undefined}
        />
        <figcaption>{shown.name}</figcaption>
      </figure>
      {under ? (
        <input
          {...leaveEscape}
          className="compare-share"
          type="range"
          aria-label={`How much of ${shown.name} is seen`}
          value={share}
          onKeyDown={(event) => event.stopPropagation()}
          onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
        />
      ) : null}
    </>
  )
}

/** Makes the picture as wide on the screen as the picture under it, even if the two have different sizes in pixels. */
const likeUnder = (view: View, size: Size, under: Size | null): View =>
  under ? { ...view, scale: (view.scale * under.width) / size.width } : view
