// In charge of showing the picture in the viewer at its position, and moving it by wheel, drag, pinch, double click and swipe.
import { Loader } from '@mantine/core'
import { type PointerEvent, type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { FilmOrSound } from '../review/film-or-sound.tsx'
import { framesOf } from '../review/frames.ts'
import { contained, type Placed } from '../review/marks.ts'
import { Icon } from '../ui/icons.tsx'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { usePicture } from '../ui/use-picture.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import { isAllSeen, type Point, type Size, swipeStep, type View } from '../ui/viewer-view.ts'
import { SoundWords } from './sound-words.tsx'

type Props = {
  shown: Viewed
  url: string | undefined
  size: Size | null
  view: View | null
  stage: Size
  setStage: (size: Size) => void
  setSize: (size: Size) => void
  zoom: (factor: number, point: Point) => void
  pan: (x: number, y: number) => void
  toggle: (point: Point) => void
  swipe: (by: number) => void
  /** Renders content over the picture or film, after the picture or film is loaded. */
  upon?: (placed: Placed) => ReactNode
  /** Receives the video or audio element, if the file is a film or a sound. */
  media?: Ref<HTMLMediaElement>
}

/** The kinds of files in the order in which they are tried: if a file cannot be shown as one kind, it is shown as the next. */
const kinds = ['picture', 'film', 'sound', 'other'] as const
const firstKind = (mediaType: string | null): number => {
  if (mediaType === null || mediaType.startsWith('image/')) return 0
  if (mediaType.startsWith('video/')) return 1
  return mediaType.startsWith('audio/') ? 2 : 3
}

export function ViewerStage(props: Props) {
  const { shown, url, size, view, stage, setStage, setSize, zoom, pan, toggle, swipe, upon, media } = props
  const [kindAt, setKindAt] = useState(() => firstKind(shown.mediaType))
  const kind = kinds[kindAt] ?? 'other'
  const [filmSize, setFilmSize] = useState<Size | null>(null)
  /** How long the sound is, in seconds; null while it is not loaded. */
  const [soundLength, setSoundLength] = useState<number | null>(null)
  // Memoized, because hundreds of marks depend on this object: they are rendered again only if the picture moves or changes size.
  const placed = useMemo(() => {
    if (kind === 'film') return filmSize && { view: contained(filmSize, stage), size: filmSize, stage }
    return kind === 'picture' && view && size ? { view, size, stage } : null
  }, [kind, filmSize, view, size, stage])
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 0, height: 0 }
      if (width > 0 && height > 0) setStage({ width, height })
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [setStage])
  const pointOf = (event: { clientX: number; clientY: number }): Point => {
    const box = place.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
  }
  const latest = useRef({ zoom, pointOf })
  latest.current = { zoom, pointOf }
  useEffect(() => {
    const element = place.current
    // Keeps the page from zooming or scrolling. A listener can do this only if it is not passive.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      latest.current.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), latest.current.pointOf(event))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])
  const over = placed && upon ? upon(placed) : null
  const isWhole = !view || !size || isAllSeen(view, size, stage)
  const gestures = useGestures({ isWhole, zoom, pan, swipe, stage, pointOf })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: each of these gestures also has a key and a button.
    <div
      ref={place}
      className="viewer-stage"
      data-movable={!isWhole || undefined}
      {...(kind === 'picture' ? gestures : {})}
      onDoubleClick={(event) => toggle(pointOf(event))}
    >
      {kind === 'picture' ? (
        <Still {...{ url, view, setSize, over }} name={shown.name} cannotShow={() => setKindAt(1)} />
      ) : null}
      {kind === 'film' && url ? (
        <FilmOrSound
          {...{ kind, url, media, name: shown.name }}
          key={kind}
          loaded={(film) => {
            if (!(film instanceof HTMLVideoElement)) return
            framesOf(film)
            // A file whose type is not known in advance may be a sound; then it has no size.
            if (film.videoWidth > 0) setFilmSize({ width: film.videoWidth, height: film.videoHeight })
            else setKindAt(2)
          }}
          cannotShow={() => setKindAt(2)}
        />
      ) : null}
      {kind === 'sound' && url ? (
        <FilmOrSound
          {...{ kind, url, media, name: shown.name }}
          key={kind}
          loaded={(sound) => setSoundLength(sound.duration)}
          cannotShow={() => setKindAt(3)}
        />
      ) : null}
      {kind === 'sound' && soundLength !== null ? (
        <SoundWords digest={shown.digest} mediaType={shown.mediaType} seconds={soundLength} />
      ) : null}
      {kind === 'picture' ? null : over}
      {kind === 'other' ? (
        <p className="viewer-other">
          <Icon name="download" size={22} />
          This file cannot be shown here. Open the file itself instead.
        </p>
      ) : null}
    </div>
  )
}

type StillProps = Pick<Props, 'url' | 'view' | 'setSize'> & { name: string; over: ReactNode; cannotShow: () => void }

/**
 * A picture, and what is to be seen `over` it, which must not cover the button to try again. `cannotShow` is called if the browser
 * cannot show the file as a picture; not if the file is gone or cannot be reached.
 */
function Still({ url, view, setSize, name, over, cannotShow }: StillProps) {
  const { key, onLoad, onError, absent } = usePicture(url, cannotShow)
  const [pixels, setPixels] = useState<Size | null>(null)
  const isUnplaced = view === null
  // The viewer forgets the size when it turns to another creative. If that one has the same file, this component stays, and the
  // picture does not load a second time: its size is then reported from here.
  useEffect(() => {
    if (isUnplaced && pixels) setSize(pixels)
  }, [isUnplaced, pixels, setSize])
  if (absent) return <NotLoaded {...absent} />
  return (
    <>
      {url ? (
        <img
          key={key}
          src={url}
          alt={name}
          draggable={false}
          data-pixels={(view?.scale ?? 1) > 3 || undefined}
          style={
            view
              ? { transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) scale(${view.scale})` }
              : { visibility: 'hidden' }
          }
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            onLoad()
            // An SVG may have no size of its own; then any size can be used.
            setPixels({ width: naturalWidth || 1024, height: naturalHeight || 1024 })
          }}
          onError={onError}
        />
      ) : null}
      {view ? null : <Loader className="viewer-loading" size="sm" aria-label="Loading the picture" />}
      {over}
    </>
  )
}

type Gestures = Pick<Props, 'zoom' | 'pan' | 'swipe' | 'stage'> & {
  isWhole: boolean
  pointOf: (event: PointerEvent) => Point
}

/** One finger or the mouse moves an enlarged picture; a finger on a picture that is wholly visible swipes. Two fingers zoom. */
function useGestures({ isWhole, zoom, pan, swipe, stage, pointOf }: Gestures) {
  const held = useRef(new Map<number, Point>())
  const start = useRef<Point | null>(null)
  const end = (event: PointerEvent) => {
    const from = start.current
    const at = held.current.get(event.pointerId)
    held.current.delete(event.pointerId)
    start.current = null
    if (!from || !at || !isWhole || event.pointerType === 'mouse') return
    const by = swipeStep({ x: at.x - from.x, y: at.y - from.y }, stage)
    if (by !== 0) swipe(by)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const point = pointOf(event)
      held.current.set(event.pointerId, point)
      start.current = held.current.size === 1 ? point : null
    },
    onPointerMove: (event: PointerEvent) => {
      const before = held.current.get(event.pointerId)
      if (!before) return
      const now = pointOf(event)
      held.current.set(event.pointerId, now)
      const other = [...held.current].find(([id]) => id !== event.pointerId)?.[1]
      if (!other) {
        if (!isWhole) pan(now.x - before.x, now.y - before.y)
        return
      }
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
      const apart = distance(before, other)
      if (apart > 0) zoom(distance(now, other) / apart, middle)
    },
    onPointerUp: end,
    onPointerCancel: (event: PointerEvent) => {
      held.current.delete(event.pointerId)
      start.current = null
    },
  }
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)
