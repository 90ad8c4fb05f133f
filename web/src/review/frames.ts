// In charge of stepping through a film by its frames. Browsers do not say how long a frame of a film is: it is learned from
// two that were shown one after the other while it played, and a thirtieth of a second until then.

const thirtieth = 1 / 30

type Shown = { mediaTime: number; presentedFrames: number }
type Frames = { step(by: number): void }

/** What a frame that has just been shown while the film plays says of how long frames are, after the one before it. Pure. */
export function learned(length: number, before: Shown | null, shown: Shown): number {
  if (!before || shown.presentedFrames !== before.presentedFrames + 1) return length
  const took = shown.mediaTime - before.mediaTime
  // What a seek leads to is no neighbour, and of frames some may have been left out.
  if (took < 1 / 250 || took > 1 / 5) return length
  return length === thirtieth ? took : Math.min(length, took)
}

const known = new WeakMap<HTMLVideoElement, Frames>()

/** Of a film that has been asked about before, what was learned of it. */
export function framesOf(film: HTMLVideoElement): Frames {
  const frames = known.get(film) ?? watch(film)
  known.set(film, frames)
  return frames
}

function watch(film: HTMLVideoElement): Frames {
  let length = thirtieth
  let before: Shown | null = null
  /** Where the frame begins that is shown, or that a step leads to. */
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
      // Its middle: at the edge of two frames either may be shown.
      film.currentTime = begins + length / 2
    },
  }
}
