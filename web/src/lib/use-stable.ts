// In charge of functions that stay the same object in every render but call the code of the newest render. A new render therefore
// does not cause a memoised component that gets such a function as a property to be drawn again.
import { useCallback, useEffect, useRef } from 'react'

export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
