// In charge of stepping through a film frame by frame. Browsers do not report how long a frame is, so this is learned from two
// frames that were shown one after the other during playback; until then, 1/30 of a second is assumed.

const thirtieth = 1 / 30

type Shown = { mediaTime: number; presentedFrames: number }
type Frames = { step(by: number): void }

/** Returns the frame length in seconds: learned from two frames if they directly follow each other, else `length`. Pure. */
export function learned(length: number, before: Shown | null, shown: Shown): number {
  if (!before || shown.presentedFrames !== before.presentedFrames + 1) return length
  const took = shown.mediaTime - before.mediaTime
  // The frames are not neighbours in the film: the user jumped to another time, or frames were skipped.
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
  /** The time at which the shown frame begins, or the frame to which the last step moved. */
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
