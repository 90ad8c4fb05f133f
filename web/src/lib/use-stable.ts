// In charge of functions that stay the same objects while what they do follows the newest render: what takes one as a property
// and is memoised is not drawn again because of it.
import { useCallback, useEffect, useRef } from 'react'

export function useStable<Args extends unknown[], Result>(act: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
