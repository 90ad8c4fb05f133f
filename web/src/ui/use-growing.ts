// In charge of rendering a long list in parts: each animation frame adds some entries, so that the page stays responsive.
import { startTransition, useEffect, useState } from 'react'

/** Returns how many of the `count` entries to render now. */
export function useGrowing(count: number, step: number): number {
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= count) return
    // New entries set states of their own when they appear. A transition is rendered apart from these updates, and after them. Rendered
    // together with them, each part would look to React like a consequence of the part before, and React stops such a chain after 50
    // renderings with an error.
    const frame = requestAnimationFrame(() => startTransition(() => setShown(shown + step)))
    return () => cancelAnimationFrame(frame)
  }, [shown, count, step])
  return Math.min(shown, count)
}
