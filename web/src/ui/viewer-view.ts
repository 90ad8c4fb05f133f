// In charge of calculating the position and size of a picture in the viewer. Pure.

export type Size = { width: number; height: number }
export type Point = { x: number; y: number }
/**
 * `scale`: CSS pixels per pixel of the picture. `x`, `y`: the offset, in CSS pixels, of the picture's centre from the centre of the
 * stage, which is the area of the viewer that shows the picture.
 */
export type View = { scale: number; x: number; y: number }

/** How two pictures are compared: side by side, or with one on top of the other. */
export type Comparing = 'side' | 'wipe' | 'overlay'

export const mostScale = 16
const leastScale = 0.05
/** The largest fraction of the stage's width and height that a picture takes up when the whole picture is shown. */
const margin = 0.94

/** Returns the scale at which the whole picture is visible; a small picture is not enlarged. */
export function fitScale(picture: Size, stage: Size): number {
  const scale = Math.min(stage.width / picture.width, stage.height / picture.height) * margin
  return Number.isFinite(scale) && scale > 0 ? Math.min(1, scale) : 1
}

export const fitted = (picture: Size, stage: Size): View => ({ scale: fitScale(picture, stage), x: 0, y: 0 })

/** Zooms by a factor. The part of the picture at `point` (usually under the mouse) stays at this point. */
export function zoomed(view: View, factor: number, point: Point, picture: Size, stage: Size): View {
  const least = Math.min(leastScale, fitScale(picture, stage))
  const scale = Math.min(mostScale, Math.max(least, view.scale * factor))
  const by = scale / view.scale
  const moved = { scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by }
  return within(moved, picture, stage)
}

export const panned = (view: View, by: Point, picture: Size, stage: Size): View =>
  within({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, stage)

/** Limits the position: a side longer than the stage always covers the stage, and a shorter side is centred. */
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

/** Whether the whole picture is visible; then it cannot be moved. */
export const isAllSeen = ({ scale }: View, picture: Size, stage: Size): boolean =>
  picture.width * scale <= stage.width && picture.height * scale <= stage.height

/** Returns -1 if a swipe leads to the previous picture, 1 for the next, and 0 for neither. */
export function swipeStep(by: Point, stage: Size): number {
  if (Math.abs(by.x) < Math.min(80, stage.width / 5) || Math.abs(by.x) < 2 * Math.abs(by.y)) return 0
  return by.x < 0 ? 1 : -1
}

/** Returns for example `1.2 MB`, `480 KB` or `17 B`. */
export function weightWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
