// In charge of stepping through a film frame by frame. Browsers do not report the length of a frame, so it is learned from
// two frames that were shown one after the other during playback; until then, 1/30 of a second is assumed.

const thirtieth = 1 / 30

type Shown = { mediaTime: number; presentedFrames: number }
type Frames = { step(by: number): void }

/** The frame length after a frame was shown during playback: learned from it and the frame before, if possible. Pure. */
export function learned(length: number, before: Shown | null, shown: Shown): number {
  if (!before || shown.presentedFrames !== before.presentedFrames + 1) return length
  const took = shown.mediaTime - before.mediaTime
  // Not neighbours in the film: the user jumped to another time, or the film skipped frames.
  if (took < 1 / 250 || took > 1 / 5) return length
  return length === thirtieth ? took : Math.min(length, took)
}

const known = new WeakMap<HTMLVideoElement, Frames>()

/** Returns the same object for the same video element, so that the learned frame length is kept. */
export function framesOf(film: HTMLVideoElement): Frames {
  const frames = known.get(film) ?? watch(film)
  known.set(film, frames)
  return frames
}

function watch(film: HTMLVideoElement): Frames {
  let length = thirtieth
  let before: Shown | null = null
  /** The start time of the frame that is shown, or that the last step moved to. */
  let begins = film.currentTime
  const onFrame = (_: number, shown: Shown) => {
    if (!film.seeking) begins = shown.mediaTime
    if (!film.paused) length = learned(length, before, shown)
    before = film.paused ? null : shown
    film.requestVideoFrameCallback(onFrame)
  }
  film.requestVideoFrameCallback(onFrame)
  return {
    step(by) {
      film.pause()
      begins = Math.max(0, Math.min(begins + by * length, film.duration - length))
      // Seeks to the middle of the frame: at the edge between two frames the browser may show either.
      film.currentTime = begins + length / 2
    },
  }
}
