// In charge of stepping through a film frame by frame. Browsers do not report how long a frame lasts, so the length is learned from
// two frames that were shown one after the other during playback; until then, 1/30 of a second is assumed.

const thirtieth = 1 / 30

type Shown = { mediaTime: number; presentedFrames: number }
type Frames = { step(by: number): void }

/**
 * Returns the assumed length of a frame in seconds, after the frame `before` (null: none) and then the frame `shown` were drawn. If
 * they directly follow each other in the film, the time between them is the new length, unless a shorter one was learned earlier.
 * Otherwise the length remains `length`. Pure.
 */
export function learned(length: number, before: Shown | null, shown: Shown): number {
  if (!before || shown.presentedFrames !== before.presentedFrames + 1) return length
  const took = shown.mediaTime - before.mediaTime
  // If the frames are less than 1/250 or more than 1/5 of a second apart, they are no neighbours: the user has jumped in the film.
  if (took < 1 / 250 || took > 1 / 5) return length
  return length === thirtieth ? took : Math.min(length, took)
}

const known = new WeakMap<HTMLVideoElement, Frames>()

/** Returns the same object each time for a video element, so that the learned frame length is kept. */
export function framesOf(film: HTMLVideoElement): Frames {
  const frames = known.get(film) ?? watch(film)
  known.set(film, frames)
  return frames
}

function watch(film: HTMLVideoElement): Frames {
  let length = thirtieth
  let before: Shown | null = null
  /** Where in the film, in seconds, the present frame begins: the frame that is shown, or the one to which the last step moved. */
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
      // Moves to the middle of the frame, because at the edge between two frames a browser may show either of them.
      film.currentTime = begins + length / 2
    },
  }
}
