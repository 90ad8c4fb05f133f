// In charge of the content between the viewer's bars: the picture, another one to compare it with, and the panels at the side.
import type { CSSProperties } from 'react'
import { ReviewMarks } from '../review/mark-layer.tsx'
import type { Placed } from '../review/marks.ts'
import type { Version } from '../review/queries.ts'
import { ReviewPanel } from '../review/review-panel.tsx'
import type { Reviewing } from '../review/use-review.ts'
import { Icon } from '../ui/icons.tsx'
import { leaveEscape } from '../ui/leave-escape.ts'
import { offIf } from '../ui/reason.tsx'
import type { Placing } from '../ui/use-placing.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { SafeZone } from './safe-zones.ts'
import type { Compared } from './use-compared.ts'
import { ViewerBeside } from './viewer-beside.tsx'
import { ViewerFacts } from './viewer-facts.tsx'
import { ViewerStage } from './viewer-stage.tsx'
import { ZoneLayer } from './zone-layer.tsx'

type Props = {
  shown: Viewed
  url: string | undefined
  at: number
  count: number
  go: (to: number) => void
  placing: Placing
  compared: Compared
  review: Reviewing
  hasReview: boolean
  hasFacts: boolean
  zone: SafeZone | null
  /** Shows another version of the picture. */
  look: (version: Version) => void
}

export function ViewerMiddle(props: Props) {
  const { shown, url, at, count, go, placing, compared, review, hasReview, hasFacts, zone, look } = props
  const { size, view, now } = placing
  const { left, comparing } = compared
  const isUpon = comparing !== 'side'
  const hasSide = hasFacts || hasReview
  return (
    <div
      className="viewer-middle"
      data-facts={hasSide || undefined}
      data-beside={left ? true : undefined}
      data-comparing={left && isUpon ? comparing : undefined}
      style={{ '--share': `${compared.share}%` } as CSSProperties} // the type CSSProperties does not include custom properties
    >
      {left ? (
        <ViewerBeside
          key={`beside ${left.digest}`}
          shown={left}
          view={isUpon ? now : view}
          under={isUpon ? size : null}
          {...{ zoom: placing.zoom, pan: placing.pan, share: compared.share, setShare: compared.setShare }}
        />
      ) : null}
      <ViewerStage
        key={shown.digest}
        {...placing}
        {...{ shown, url }}
        view={now}
        swipe={(by) => go(at + by)}
        media={review.setMedia}
        upon={(placed) => <Upon {...{ placed, zone }} review={hasReview ? review : null} />}
      />
      {count > 1 ? (
        <>
          <Turn label="The picture before (←)" icon="left" off={at === 0} press={() => go(at - 1)} />
          <Turn label="The next picture (→)" icon="right" off={at + 1 === count} press={() => go(at + 1)} />
        </>
      ) : null}
      {hasSide ? (
        <div className="viewer-side">
          {hasReview ? (
            <ReviewPanel key={shown.creativeId} review={review} look={look} compare={compared.setVersion} />
          ) : null}
          {hasFacts ? <ViewerFacts key={`facts ${shown.digest}`} shown={shown} size={size} url={url} /> : null}
        </div>
      ) : null}
    </div>
  )
}

type UponProps = { placed: Placed; zone: SafeZone | null; review: Reviewing | null }

function Upon({ placed, zone, review }: UponProps) {
  return (
    <>
      {zone ? <ZoneLayer zone={zone} view={placed.view} size={placed.size} /> : null}
      {review ? <ReviewMarks review={review} placed={placed} /> : null}
    </>
  )
}

type TurnProps = { label: string; icon: 'left' | 'right'; off: boolean; press: () => void }

/** At the last picture it is not `disabled`: it would lose the focus, and the keys of the viewer would stop working. */
const Turn = ({ label, icon, off, press }: TurnProps) => (
  <button
    {...leaveEscape}
    type="button"
    className={`viewer-turn viewer-turn-${icon}`}
    aria-label={label}
    {...offIf(off)}
    onClick={press}
  >
    <Icon name={icon} size={22} />
  </button>
)
