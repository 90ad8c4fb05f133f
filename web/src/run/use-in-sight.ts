// In charge of knowing whether an element is in sight, for whatever is only worth asking the service for while a user can see it.
import { type RefObject, useEffect, useState } from 'react'

/** Always false while `isWanted` is false. */
export function useInSight(place: RefObject<Element | null>, isWanted: boolean): boolean {
  const [isInSight, setIsInSight] = useState(false)
  useEffect(() => {
    const one = place.current
    if (!one || !isWanted) return
    const watch = new IntersectionObserver((entries) => setIsInSight(entries.at(-1)?.isIntersecting ?? false))
    watch.observe(one)
    return () => {
      watch.disconnect()
      setIsInSight(false)
    }
  }, [place, isWanted])
  return isInSight
}
