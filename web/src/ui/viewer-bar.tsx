// In charge of the line above the picture in the viewer: which one it is, how near, and what can be asked of it.
import { ActionIcon } from '@mantine/core'
import { Icon, type IconName } from './icons.tsx'
import type { Viewed } from './viewer-store.ts'

type Props = {
  shown: Viewed
  at: number
  count: number
  url: string | undefined
  /** Null until the picture is there. */
  scale: number | null
  isWhole: boolean
  hasFacts: boolean
  zoom: (factor: number) => void
  whole: () => void
  pixels: () => void
  isBeside: boolean
  /** Null where there is nothing to compare with. */
  turnBeside: (() => void) | null
  turnFacts: () => void
  close: () => void
}

export const zoomStep = 1.25

export function ViewerBar(props: Props) {
  const { shown, at, count, url, scale, isWhole, hasFacts, zoom, whole, pixels, turnFacts, close } = props
  const { isBeside, turnBeside } = props
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
            <WordTool label="Fit: the whole picture (0)" words="Fit" press={whole} isOn={isWhole} />
            <WordTool label="100 %: its own pixels (1)" words="100 %" press={pixels} isOn={scale === 1} />
          </>
        ) : null}
        {turnBeside ? (
          <WordTool label="Compare: two side by side (c)" words="Compare" press={turnBeside} isOn={isBeside} />
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
        <Tool label="Close (Esc)" icon="close" press={close} />
      </span>
    </header>
  )
}

/** Escape closes the viewer alone: a dialog of Mantine's under it would take it for its own. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }

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
