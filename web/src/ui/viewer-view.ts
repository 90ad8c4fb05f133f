// In charge of the position and size of a picture in the viewer. Pure.

export type Size = { width: number; height: number }
export type Point = { x: number; y: number }
/** `scale`: CSS pixels for each pixel of the picture. `x`, `y`: its centre, from the centre of the stage. */
export type View = { scale: number; x: number; y: number }

/** How two pictures are compared: side by side, or one above the other. */
export type Comparing = 'side' | 'wipe' | 'overlay'

export const mostScale = 16
const leastScale = 0.05
/** The margin of the stage around a picture that fits. */
const margin = 0.94

/** The scale that shows the whole picture, at most at its own size. */
export function fitScale(picture: Size, stage: Size): number {
  const scale = Math.min(stage.width / picture.width, stage.height / picture.height) * margin
  return Number.isFinite(scale) && scale > 0 ? Math.min(1, scale) : 1
}

export const fitted = (picture: Size, stage: Size): View => ({ scale: fitScale(picture, stage), x: 0, y: 0 })

/** Zooms by a factor; the point of the picture under the mouse stays there. */
export function zoomed(view: View, factor: number, point: Point, picture: Size, stage: Size): View {
  const least = Math.min(leastScale, fitScale(picture, stage))
  const scale = Math.min(mostScale, Math.max(least, view.scale * factor))
  const by = scale / view.scale
  const moved = { scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by }
  return within(moved, picture, stage)
}

export const panned = (view: View, by: Point, picture: Size, stage: Size): View =>
  within({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, stage)

/** A side longer than the stage covers the stage; a shorter one is centred. */
function within(view: View, picture: Size, stage: Size): View {
  const along = (at: number, length: number, room: number): number => {
    const over = Math.max(0, (length * view.scale - room) / 2)
    return over === 0 ? 0 : Math.min(over, Math.max(-over, at))
  }
  return {
    scale: view.scale,
    x: along(view.x, picture.width, stage.width),
    y: along(view.y, picture.height, stage.height),
  }
}

/** Whether the whole picture is on the stage, so that it cannot be moved. */
export const isAllSeen = ({ scale }: View, picture: Size, stage: Size): boolean =>
  picture.width * scale <= stage.width && picture.height * scale <= stage.height

/** Which picture a swipe over a whole picture leads to: -1 the previous, 1 the next, 0 none. */
export function swipeStep(by: Point, stage: Size): number {
  if (Math.abs(by.x) < Math.min(80, stage.width / 5) || Math.abs(by.x) < 2 * Math.abs(by.y)) return 0
  return by.x < 0 ? 1 : -1
}

/** `1.2 MB`, `480 KB`, `17 B`. */
export function weightWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
