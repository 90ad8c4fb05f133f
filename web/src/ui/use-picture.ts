// In charge of loading a picture: tells a picture that the browser cannot show from one that is gone or could not be reached, and waits
// until that one can be.
import { useEffect, useRef, useState } from 'react'
import { askForFile, askForPicture } from '../lib/reachable.ts'
import { absentOf, reloadAfterMs, stepAfter } from './media-errors.ts'

/**
 * For an `img` with the address `url` and the properties `key`, `onLoad` and `onError`. `cannotShow` is called if the browser cannot
 * show the file as a picture. `absent` says why there is no picture while the file is gone or cannot be reached, and is otherwise
 * null; something else is then to be shown in place of the picture.
 */
export function usePicture(url: string | undefined, cannotShow: () => void) {
  /** The address from which nothing came. A later address is loaded by itself. */
  const [lacking, setLacking] = useState<{ url: string; isGone: boolean } | null>(null)
  /** Changes with each attempt, so that the browser, with another element, loads the same address again. */
  const [key, setKey] = useState(0)
  /** How often the file was loaded once more since it was last shown. */
  const doubts = useRef(0)
  /** The address whose errors count; undefined once the picture has left the page. */
  const awaited = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    awaited.current = url
    return () => {
      awaited.current = undefined
      clearTimeout(timer.current)
    }
  }, [url])
  const onError = async () => {
    if (url === undefined) return
    const wasDoubted = doubts.current > 0
    const step = stepAfter({ delivery: await (wasDoubted ? askForPicture(url) : askForFile(url)), wasDoubted })
    if (awaited.current !== url) return
    if (step === 'once more') {
      // What has disturbed the connection may take a while.
      timer.current = setTimeout(() => setKey((before) => before + 1), reloadAfterMs(doubts.current))
      doubts.current += 1
      return
    }
    doubts.current = 0
    if (step === 'give up') cannotShow()
    else setLacking({ url, isGone: step === 'gone' })
  }
  const onLoad = () => {
    doubts.current = 0
  }
  const now = url !== undefined && url === lacking?.url ? lacking : null
  const isUnreached = now?.isGone === false
  useEffect(() => {
    if (!isUnreached || url === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async (failed: number) => {
      const delivery = await askForFile(url)
      if (isOver) return
      if (delivery === 'unreached') wait(failed + 1)
      else setLacking(delivery === 'gone' ? { url, isGone: true } : null)
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
  return { key, onLoad, onError: () => void onError(), absent: now && absentOf(now.isGone, () => setLacking(null)) }
}
