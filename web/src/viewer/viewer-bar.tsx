// In charge of the toolbar above the picture in the viewer: the name of the picture, its zoom, and the buttons.
import { ActionIcon } from '@mantine/core'
import { Icon, type IconName } from '../ui/icons.tsx'
import { leaveEscape } from '../ui/leave-escape.ts'
import type { Placing } from '../ui/use-placing.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { Compared } from './use-compared.ts'
import type { Zoning } from './use-safe-zone.ts'

type Props = {
  shown: Viewed
  at: number
  count: number
  url: string | undefined
  placing: Pick<Placing, 'now' | 'view' | 'zoom' | 'whole' | 'pixels'>
  compared: Pick<Compared, 'left' | 'comparing' | 'setComparing'>
  zoning: Zoning
  hasFacts: boolean
  /** Null if there is neither another picture nor another version to compare with. */
  turnBeside: (() => void) | null
  turnFacts: () => void
  /** Null if the picture cannot be reviewed, because it belongs to no creative. */
  turnReview: (() => void) | null
  hasReview: boolean
  close: () => void
}

export const zoomStep = 1.25

export function ViewerBar(props: Props) {
  const { shown, at, count, url, hasFacts, turnFacts, close, turnBeside, turnReview, hasReview } = props
  const { now, view, zoom, whole, pixels } = props.placing
  const { left, comparing, setComparing } = props.compared
  const scale = now?.scale ?? null
  return (
    <header className="viewer-bar">
      <p className="viewer-name" role="status">
        <span className="mono">{shown.name}</span>
        {count > 1 ? (
          <span className="viewer-place">
            {at + 1} of {count}
          </span>
        ) : null}
      </p>
      <span className="viewer-tools">
        {scale !== null ? (
          <>
            <Tool label="Smaller (-)" icon="minus" press={() => zoom(1 / zoomStep)} />
            <output className="viewer-scale">{Math.round(scale * 100)} %</output>
            <Tool label="Larger (+)" icon="plus" press={() => zoom(zoomStep)} />
            <WordTool label="Fit: the whole picture (0)" words="Fit" press={whole} isOn={view === null} />
            <WordTool label="100 %: its own pixels (1)" words="100 %" press={pixels} isOn={scale === 1} />
          </>
        ) : null}
        <ZoneTools {...props.zoning} />
        {turnBeside ? (
          <WordTool
            label={`Compare: two side by side (${turnReview ? 'b' : 'c'})`}
            words="Compare"
            press={turnBeside}
            isOn={left !== undefined}
          />
        ) : null}
        {left
          ? comparisons.map(([kind, words, label]) => (
              <WordTool
                key={kind}
                label={label}
                words={words}
                press={() => setComparing(kind)}
                isOn={comparing === kind}
              />
            ))
          : null}
        {turnReview ? (
          <Tool
            label={hasReview ? 'Hide the review (r)' : 'Review it (r)'}
            icon="comment"
            press={turnReview}
            isOn={hasReview}
          />
        ) : null}
        <Tool
          label={hasFacts ? 'Hide what is known of it (i)' : 'What is known of it (i)'}
          icon="info"
          press={turnFacts}
          isOn={hasFacts}
        />
        {url ? (
          <ActionIcon
            {...leaveEscape}
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label="Open the file itself"
          >
            <Icon name="download" />
          </ActionIcon>
        ) : null}
      </span>
      <Tool label="Close (Esc)" icon="close" press={close} />
    </header>
  )
}

/** The buttons that show a safe zone. There are none if no zone applies to the shape of the picture. */
const ZoneTools = ({ zones, shown, show }: Zoning) =>
  zones.map((zone) => (
    <WordTool
      key={zone.name}
      label={`Safe zone of ${zone.name} (z)`}
      words={zone.name}
      press={() => show(zone === shown ? null : zone)}
      isOn={zone === shown}
    />
  ))

const comparisons = [
  ['side', 'Side', 'Side: beside each other'],
  ['wipe', 'Wipe', 'Wipe: one wiped over the other'],
  ['overlay', 'Overlay', 'Overlay: one shining through the other'],
] as const

type ToolProps = { label: string; press: () => void; isOn?: boolean }

const Tool = ({ label, icon, press, isOn }: ToolProps & { icon: IconName }) => (
  <ActionIcon {...leaveEscape} aria-label={label} title={label} aria-pressed={isOn} onClick={press}>
    <Icon name={icon} />
  </ActionIcon>
)

const WordTool = ({ label, words, press, isOn = false }: ToolProps & { words: string }) => (
  <button
    {...leaveEscape}
    type="button"
    className="viewer-word"
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    onClick={press}
  >
    {words}
  </button>
)
