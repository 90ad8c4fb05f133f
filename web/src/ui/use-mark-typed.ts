// In charge of marking the first option that fits what a user types into a list of choices, so that Enter takes it. While nothing is
// typed, none is marked: Enter would take the first of all options.
import { useLayoutEffect, useState } from 'react'

/**
 * Returns the `selectFirstOptionOnChange` of Mantine's field: true only for the render in which the options for `typed` appear. If it
 * stayed true, Mantine would at the next key mark the first of the options on show, which fit the earlier text, and would mark one in
 * an emptied field too. `isFound`: false until the service has told what fits; Enter takes nothing until then.
 */
export function useMarkTyped(typed: string, isFound = true): boolean {
  const [marked, setMarked] = useState('')
  const found = isFound ? typed : ''
  // Before any other key: with `useEffect`, a key that is pressed right after could come first.
  useLayoutEffect(() => setMarked(found), [found])
  return found.trim() !== '' && found !== marked
}
