// In charge of the film or sound in the viewer: playing it, and the time in it that a new comment is about.
import { useEffect, useState } from 'react'
import { framesOf } from './frames.ts'

export function useMedium() {
  /** The element that plays it. Kept as state, because the tools beside it depend on what it is. */
  const [media, setMedia] = useState<HTMLMediaElement | null>(null)
  /** The time, in seconds, that the new comment is about; null if it is not about a certain time. */
  const [at, setAt] = useState<number | null>(null)
  const film = usePictured(media)
  /** A mark on a film belongs to one frame: pauses the film, and makes the comment one about the frame that is shown. */
  const holdFrame = () => {
    if (!film) return
    film.pause()
    setAt(film.currentTime)
  }
  const stepFrame = (by: 1 | -1) => {
    if (film) framesOf(film).step(by)
  }
  const play = () => {
    if (!media?.paused) media?.pause()
    // `play` rejects if the film is paused again immediately, which is not an error.
    else void media.play().catch(() => undefined)
  }
  const turnSound = () => {
    if (media) media.muted = !media.muted
  }
  const seek = (seconds: number) => {
    if (!media) return
    media.pause()
    media.currentTime = seconds
  }
  return { media, setMedia, film, at, setAt, holdFrame, stepFrame, play, turnSound, seek }
}

/**
 * Returns the element if it shows a film; null if it plays a sound. A file whose type is not known in advance is opened as a film,
 * and a sound plays as one too, with no picture on which to mark anything.
 */
function usePictured(media: HTMLMediaElement | null): HTMLVideoElement | null {
  const [sound, setSound] = useState<HTMLMediaElement | null>(null)
  useEffect(() => {
    if (!(media instanceof HTMLVideoElement)) return
    const look = () => setSound(media.readyState > 0 && media.videoWidth === 0 ? media : null)
    look()
    media.addEventListener('loadedmetadata', look)
    return () => media.removeEventListener('loadedmetadata', look)
  }, [media])
  return media instanceof HTMLVideoElement && media !== sound ? media : null
}
