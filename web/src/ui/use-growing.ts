// In charge of drawing long lists a part at a time: each frame draws some more, so that the page stays responsive.
import { useEffect, useState } from 'react'

/** How many of `count` entries are drawn now. */
export function useGrowing(count: number, step: number): number {
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= count) return
    const frame = requestAnimationFrame(() => setShown(shown + step))
    return () => cancelAnimationFrame(frame)
  }, [shown, count, step])
  return Math.min(shown, count)
}
