// In charge of functions that always stay the same object but call the code of the newest render. A memoised component that gets
// such a function as a property is not drawn again because of it.
import { useCallback, useEffect, useRef } from 'react'

export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
