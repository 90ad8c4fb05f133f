// In charge of the full-screen viewer: stepping through pictures, zooming, and showing what is known about each picture.
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFileLink } from '../lib/link-store.ts'
import { absenceWords } from '../review/absence.ts'
import type { Version } from '../review/queries.ts'
import { reviewKeys } from '../review/review-keys.ts'
import { type Reviewing, useReview } from '../review/use-review.ts'
import { usePlacing } from '../ui/use-placing.ts'
import { asVersion, useCompared } from './use-compared.ts'
import { useSafeZone } from './use-safe-zone.ts'
import './viewer.css'
import { Icon } from '../ui/icons.tsx'
import { leaveEscape } from '../ui/leave-escape.ts'
import { useTopDialog } from '../ui/top-layer.ts'
import { closeViewer, type Viewed } from '../ui/viewer-store.ts'
import { ViewerBar, zoomStep } from './viewer-bar.tsx'
import { onViewerKey, type ViewerKeys } from './viewer-keys.ts'
import { ViewerMiddle } from './viewer-middle.tsx'

export type ViewerProps = {
  pictures: readonly Viewed[]
  first: number
  firstBeside: number | null
  reviewed: boolean
}

/** `showPanel`: shows the review panel at once, so that a field in it can get the focus. */
const keysOf = (review: Reviewing, look: (version: Version) => void, showPanel: () => void): ViewerKeys =>
  Object.fromEntries(
    reviewKeys.map(({ key, act, writes }) => [
      key,
      () => {
        if (writes) showPanel()
        act(review, look)
      },
    ]),
  )

const far = 80
const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']

export function Viewer({ pictures, first, firstBeside, reviewed }: ViewerProps) {
  const dialog = useTopDialog()
  const [at, setAt] = useState(first)
  const [hasFacts, setHasFacts] = useState(() => innerWidth > 900)
  const [wantsReview, setWantsReview] = useState(() => reviewed || innerWidth > 900)
  const placing = usePlacing()
  const zoning = useSafeZone(placing.size)
  const picture = pictures[at]
  /** The version that the user opened instead of the current version of the picture; null if none. */
  const [seen, setSeen] = useState<Version | null>(null)
  const shown = picture && (asVersion(picture, seen) ?? picture)
  const link = useFileLink(shown?.digest ?? '')
  const review = useReview(picture?.creativeId, shown?.digest ?? '')
  const compared = useCompared({ pictures, at, firstBeside, picture })
  useEffect(() => {
    // The dialog itself takes the focus, so that the viewer's keys work at once, and no button looks focused.
    dialog.current?.focus()
  }, [dialog])
  if (!picture || !shown) return null
  const isReviewed = picture.creativeId !== undefined
  const hasReview = isReviewed && wantsReview
  const look = (version: Version | null) => {
    setSeen(version)
    placing.reset()
    review.drop()
    // A new version may have come while the user wrote why changes are wanted: what is written is then for the new version.
    if (version?.current && review.wantsChanges) review.wantChanges(true)
  }
  const go = (to: number) => {
    if (to < 0 || to >= pictures.length || to === at) return
    setAt(to)
    look(null)
    review.choose(null)
  }
  const turnBeside = () =>
    compared.turn(
      review.versions.find(({ file }) => file !== shown.digest),
      go,
    )
  const turnReview = () => setWantsReview(!wantsReview)
  // The fields of the panel exist only after it is rendered. They are focused at once: of words that are typed quickly after the
  // key, the first letter would be lost.
  const showPanel = () => flushSync(() => setWantsReview(true))
  const comment = () => {
    showPanel()
    review.field.current?.focus()
  }
  const toCross = () => dialog.current?.querySelector<HTMLElement>('.mark-cross')?.focus()
  const isPlacing = hasReview && (review.tool === 'pin' || review.tool === 'box')
  const keys: ViewerKeys = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    'Shift+ArrowLeft': () => placing.pan(far, 0),
    'Shift+ArrowRight': () => placing.pan(-far, 0),
    'Shift+ArrowUp': () => placing.pan(0, far),
    'Shift+ArrowDown': () => placing.pan(0, -far),
    Home: () => go(0),
    End: () => go(pictures.length - 1),
    '+': () => placing.zoom(zoomStep),
    '=': () => placing.zoom(zoomStep),
    '-': () => placing.zoom(1 / zoomStep),
    '0': placing.whole,
    '1': placing.pixels,
    b: turnBeside,
    c: isReviewed ? comment : turnBeside,
    i: () => setHasFacts(!hasFacts),
    z: zoning.turn,
    ...(isReviewed ? { r: turnReview, ...keysOf(review, look, showPanel) } : {}),
    // While a tool is chosen, they belong to its crosshair: another picture would drop the mark.
    ...(isPlacing ? Object.fromEntries(arrows.map((key) => [key, toCross])) : {}),
  }
  return (
    <dialog
      ref={dialog}
      className="viewer"
      tabIndex={-1}
      {...leaveEscape}
      aria-label={`Picture ${shown.name}`}
      onKeyDown={(event) => onViewerKey(event, keys, event.target instanceof HTMLMediaElement)}
      onClose={closeViewer}
      onCancel={(event) => {
        if (!review.tool) return
        event.preventDefault()
        review.drop()
      }}
    >
      <ViewerBar
        {...{ shown, at, hasFacts, hasReview, placing, compared, zoning }}
        count={pictures.length}
        url={link?.url}
        turnBeside={pictures.length > 1 || review.versions.length > 1 ? turnBeside : null}
        turnReview={isReviewed ? turnReview : null}
        turnFacts={() => setHasFacts(!hasFacts)}
        close={() => dialog.current?.close()}
      />
      {review.absence ? (
        <p className="viewer-absent" role="alert">
          <Icon name="trash" /> {absenceWords[review.absence]}
        </p>
      ) : null}
      <ViewerMiddle
        {...{ shown, placing, review, compared, hasReview, hasFacts, at, go, look }}
        zone={zoning.shown}
        url={link?.url}
        count={pictures.length}
      />
      {shown.act ? <Foot act={shown.act} close={() => dialog.current?.close()} /> : null}
    </dialog>
  )
}

const Foot = ({ act, close }: { act: NonNullable<Viewed['act']>; close: () => void }) => (
  <footer className="viewer-foot">
    <Button
      {...leaveEscape}
      size="sm"
      onClick={() => {
        act.run()
        close()
      }}
    >
      {act.label}
    </Button>
  </footer>
)
