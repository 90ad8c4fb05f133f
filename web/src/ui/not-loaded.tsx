// In charge of what is shown in place of a picture, film or sound that is gone or could not be reached.
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { leaveEscape } from './leave-escape.ts'
import type { Absent } from './media-errors.ts'
import { usePassedFocus } from './pass-focus.ts'

export const goneWords = 'The file is gone.'

export function NotLoaded(absent: Absent) {
  const place = useRef<HTMLDivElement>(null)
  // It disappears as soon as the file is loaded, which the page also tries by itself.
  usePassedFocus(place)
  if (absent.isGone) {
    return (
      <div className="not-loaded" role="status">
        <p>{goneWords}</p>
      </div>
    )
  }
  return (
    <div ref={place} className="not-loaded" role="status">
      <p>The file could not be loaded.</p>
      <Button
        {...leaveEscape}
        size="xs"
        // Otherwise the viewer would take the press for the beginning of a swipe.
        onPointerDown={(event) => event.stopPropagation()}
        onClick={absent.tryAgain}
      >
        Try again
      </Button>
    </div>
  )
}
