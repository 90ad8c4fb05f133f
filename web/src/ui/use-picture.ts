// In charge of loading a picture: tells a picture that the browser cannot show from one that could not be reached, and waits until
// that one can be.
import { useEffect, useRef, useState } from 'react'
import { isSent } from '../lib/reachable.ts'
import { reloadAfterMs, stepAfter } from './media-errors.ts'

/**
 * For an `img` with the address `url` and the properties `key`, `onLoad` and `onError`. `cannotShow` is called if the browser cannot
 * show the file as a picture. While the file cannot be reached, `tryAgain` is a function that loads it at once, and otherwise null;
 * something else is then to be shown in place of the picture.
 */
export function usePicture(url: string | undefined, cannotShow: () => void) {
  /** The address that could not be reached. A later address is loaded by itself. */
  const [unreached, setUnreached] = useState<string | null>(null)
  /** Changes with each attempt, so that the browser, with another element, loads the same address again. */
  const [key, setKey] = useState(0)
  const wasDoubted = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const onError = async () => {
    if (url === undefined) return
    const step = stepAfter({ isSent: await isSent(url), wasDoubted: wasDoubted.current })
    if (isGone.current) return
    wasDoubted.current = step === 'once more'
    if (step === 'give up') cannotShow()
    else if (step === 'wait') setUnreached(url)
    else setKey((before) => before + 1)
  }
  const onLoad = () => {
    wasDoubted.current = false
  }
  const isUnreached = url !== undefined && url === unreached
  useEffect(() => {
    if (!isUnreached) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async (failed: number) => {
      const isHere = await isSent(url)
      if (isOver) return
      if (isHere) setUnreached(null)
      else wait(failed + 1)
    }
    const wait = (failed: number) => {
      timer = setTimeout(() => void ask(failed), reloadAfterMs(failed))
    }
    wait(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isUnreached, url])
  return { key, onLoad, onError: () => void onError(), tryAgain: isUnreached ? () => setUnreached(null) : null }
}
