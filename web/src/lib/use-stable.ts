// In charge of functions that keep their identity while they call the code of the newest render: memoised components that get one
// as a property are not drawn again because of it.
import { useCallback, useEffect, useRef } from 'react'

export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
