// In charge of rendering a long list in parts: each animation frame adds some entries, so that the page stays responsive.
import { useEffect, useState } from 'react'

/** Returns how many of the `count` entries to render now. */
export function useGrowing(count: number, step: number): number {
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= count) return
    const frame = requestAnimationFrame(() => setShown(shown + step))
    return () => cancelAnimationFrame(frame)
  }, [shown, count, step])
  return Math.min(shown, count)
}
