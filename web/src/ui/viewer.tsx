// In charge of pictures in full size, over everything else: one after the other, near and far, with what is known of each.
import { Button } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { Icon } from './icons.tsx'
import './viewer.css'
import { leaveEscape, ViewerBar, zoomStep } from './viewer-bar.tsx'
import { ViewerBeside } from './viewer-beside.tsx'
import { ViewerFacts } from './viewer-facts.tsx'
import { ViewerStage } from './viewer-stage.tsx'
import { closeViewer, type Viewed } from './viewer-store.ts'
import { fitted, panned, type Size, type View, zoomed } from './viewer-view.ts'

type Props = { pictures: readonly Viewed[]; first: number; firstBeside: number | null }

const far = 80

export function Viewer({ pictures, first, firstBeside }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [at, setAt] = useState(first)
  const [hasFacts, setHasFacts] = useState(() => innerWidth > 900)
  /** Of the picture that is shown; null until it is there. */
  const [size, setSize] = useState<Size | null>(null)
  const [stage, setStage] = useState<Size>({ width: 1, height: 1 })
  const [view, setView] = useState<View | null>(null)
  const shown = pictures[at]
  const link = useFileLink(shown?.digest ?? '')
  /** The place of the picture at the left; null: one is shown alone. */
  const [beside, setBeside] = useState(firstBeside)
  const left = beside === null || beside === at ? undefined : pictures[beside]
  useEffect(() => {
    dialog.current?.showModal()
    // Keys work at once, and no button looks as if it had been asked for.
    dialog.current?.focus()
  }, [])
  const go = (to: number) => {
    if (to < 0 || to >= pictures.length || to === at) return
    setAt(to)
    setSize(null)
    setView(null)
  }
  const now = size ? (view ?? fitted(size, stage)) : null
  const change = (next: (view: View, size: Size) => View) => {
    if (size && now) setView(next(now, size))
  }
  const zoom = (factor: number, point = { x: 0, y: 0 }) =>
    change((before, picture) => zoomed(before, factor, point, picture, stage))
  const pan = (x: number, y: number) => change((before, picture) => panned(before, { x, y }, picture, stage))
  const whole = () => setView(null)
  const pixels = () => change((before, picture) => zoomed(before, 1 / before.scale, { x: 0, y: 0 }, picture, stage))
  /** What is looked at goes to the left, and the next one beside it. */
  const turnBeside = () => {
    if (pictures.length < 2) return
    setBeside(left ? null : at)
    if (!left) go(at + 1 < pictures.length ? at + 1 : at - 1)
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    'Shift+ArrowLeft': () => pan(far, 0),
    'Shift+ArrowRight': () => pan(-far, 0),
    'Shift+ArrowUp': () => pan(0, far),
    'Shift+ArrowDown': () => pan(0, -far),
    Home: () => go(0),
    End: () => go(pictures.length - 1),
    '+': () => zoom(zoomStep),
    '=': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': whole,
    '1': pixels,
    c: () => turnBeside(),
    i: () => setHasFacts(!hasFacts),
  }
  const onKey = (event: KeyboardEvent) => {
    // What lies under the viewer has keys of its own.
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isArrow = event.key.startsWith('Arrow')
    const meaning = keys[event.shiftKey && isArrow ? `Shift+${event.key}` : event.key]
    if (!meaning) return
    event.preventDefault()
    meaning()
  }
  if (!shown) return null
  const several = pictures.length > 1
  return (
    <dialog
      ref={dialog}
      className="viewer"
      tabIndex={-1}
      {...leaveEscape}
      aria-label={`Picture ${shown.name}`}
      onKeyDown={onKey}
      onClose={closeViewer}
    >
      <ViewerBar
        {...{ shown, at, zoom, whole, pixels, hasFacts }}
        count={pictures.length}
        url={link?.url}
        scale={now?.scale ?? null}
        isWhole={view === null}
        isBeside={left !== undefined}
        turnBeside={pictures.length > 1 ? turnBeside : null}
        turnFacts={() => setHasFacts(!hasFacts)}
        close={() => dialog.current?.close()}
      />
      <div className="viewer-middle" data-facts={hasFacts || undefined} data-beside={left ? true : undefined}>
        {left ? <ViewerBeside key={`beside ${left.digest}`} shown={left} view={view} {...{ zoom, pan }} /> : null}
        <ViewerStage
          key={shown.digest}
          shown={shown}
          url={link?.url}
          size={size}
          view={now}
          stage={stage}
          setStage={setStage}
          setSize={setSize}
          zoom={zoom}
          pan={pan}
          toggle={(point) =>
            now && view === null && now.scale < 1
              ? zoom(1 / now.scale, point)
              : view === null
                ? zoom(2, point)
                : whole()
          }
          swipe={(by) => go(at + by)}
        />
        {several ? (
          <>
            <Turn label="The picture before (←)" icon="left" off={at === 0} press={() => go(at - 1)} />
            <Turn label="The next picture (→)" icon="right" off={at + 1 === pictures.length} press={() => go(at + 1)} />
          </>
        ) : null}
        {hasFacts ? <ViewerFacts key={`facts ${shown.digest}`} shown={shown} size={size} url={link?.url} /> : null}
      </div>
      {shown.act ? (
        <footer className="viewer-foot">
          <Button
            {...leaveEscape}
            size="sm"
            onClick={() => {
              shown.act?.run()
              dialog.current?.close()
            }}
          >
            {shown.act.label}
          </Button>
        </footer>
      ) : null}
    </dialog>
  )
}

type TurnProps = { label: string; icon: 'left' | 'right'; off: boolean; press: () => void }

const Turn = ({ label, icon, off, press }: TurnProps) => (
  <button
    {...leaveEscape}
    type="button"
    className={`viewer-turn viewer-turn-${icon}`}
    aria-label={label}
    disabled={off}
    onClick={press}
  >
    <Icon name={icon} size={22} />
  </button>
)
