// In charge of the address from which a film or sound is loaded. Signed addresses are renewed every few minutes, and a film starts
// anew with each other address: so the first one is held until it fails. Then the newest is loaded, at the time that was reached.
import { useEffect, useRef, useState } from 'react'
import { askForFile } from '../lib/reachable.ts'
import { absentOf, causeOf, reloadAfterMs, type Step, stepAfter } from './media-errors.ts'

/** Where a film or sound is gone on with after it was loaded again: `at` in seconds. */
type Reached = { at: number; isPlaying: boolean }

/** Handles the events of one element for one file. `cannotShow` is called if the browser cannot show this file. */
export function useHeldAddress(newest: string, cannotShow: () => void) {
  const [held, setHeld] = useState(newest)
  const latest = useRef(newest)
  useEffect(() => {
    latest.current = newest
  }, [newest])
  const wasLoaded = useRef(false)
  const wasDoubted = useRef(false)
  const failed = useRef(0)
  const reached = useRef<Reached | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Counts the attempts to load the file, and the end of the element: what was found out about an earlier one is of no use then. */
  const attempt = useRef(0)
  const begin = () => {
    attempt.current += 1
    // The attempt for which this waits would start the film anew while it is playing.
    clearTimeout(timer.current)
  }
  useEffect(() => begin, [])
  /** The element while the file has not been loaded even once, because it is gone or could not be reached; otherwise null. */
  const [empty, setEmpty] = useState<{ element: HTMLMediaElement; isGone: boolean } | null>(null)
  const load = (element: HTMLMediaElement) => {
    begin()
    setHeld(latest.current)
    // Another address is loaded by itself, the same one only when it is asked for.
    if (element.getAttribute('src') === latest.current) element.load()
  }
  const stepOf = async (cause: ReturnType<typeof causeOf>): Promise<Step> => {
    if (cause === 'unknown') return stepAfter({ delivery: await askForFile(held), wasDoubted: wasDoubted.current })
    return cause === 'file' ? 'give up' : 'wait'
  }
  const onError = async (element: HTMLMediaElement) => {
    const failing = attempt.current
    const step = await stepOf(causeOf(element.error?.code, wasLoaded.current))
    if (attempt.current !== failing) return
    if (step === 'give up') return cannotShow()
    if (step === 'gone') return setEmpty({ element, isGone: true })
    wasDoubted.current = step === 'once more'
    // If loading it again failed, the element is at 0, and what it had reached before is kept.
    reached.current ??= { at: element.currentTime, isPlaying: !element.paused }
    if (step === 'wait' && !wasLoaded.current) setEmpty({ element, isGone: false })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => load(element), reloadAfterMs(failed.current))
    failed.current += 1
  }
  const onLoaded = (element: HTMLMediaElement) => {
    wasLoaded.current = true
    begin()
    setEmpty(null)
    if (!reached.current) return
    element.currentTime = reached.current.at
    // `play` rejects if the film is paused again immediately, which is not an error.
    if (reached.current.isPlaying) void element.play().catch(() => undefined)
    reached.current = null
  }
  /** To be called when there is something to see or hear: that the first few bytes have come does not mean that others do. */
  const onShown = () => {
    failed.current = 0
  }
  return { held, onError, onLoaded, onShown, absent: empty && absentOf(empty.isGone, () => load(empty.element)) }
}
