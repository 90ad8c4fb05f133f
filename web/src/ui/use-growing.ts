// In charge of long lists that are drawn a part at a time: each frame draws some more, so that none holds the page up.
import { useEffect, useState } from 'react'

/** How many of `count` are drawn by now. */
export function useGrowing(count: number, step: number): number {
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= count) return
    const frame = requestAnimationFrame(() => setShown(shown + step))
    return () => cancelAnimationFrame(frame)
  }, [shown, count, step])
  return Math.min(shown, count)
}
