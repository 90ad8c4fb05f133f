// In charge of noticing whether a text is cut off because it has more lines than are shown.
import { type RefObject, useEffect, useState } from 'react'

export function useCut(place: RefObject<HTMLElement | null>): boolean {
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const watcher = new ResizeObserver(() => setIsCut(element.scrollHeight > element.clientHeight + 1))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [place])
  return isCut
}
