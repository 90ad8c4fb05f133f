// In charge of what is shown in place of a picture, film or sound that could not be loaded, because it could not be reached.
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { leaveEscape } from './leave-escape.ts'
import { usePassedFocus } from './pass-focus.ts'

export function NotLoaded({ again }: { again: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  // It disappears as soon as the file is loaded, which the page also tries by itself.
  usePassedFocus(place)
  return (
    <div ref={place} className="not-loaded" role="status">
      <p>The file could not be loaded.</p>
      <Button
        {...leaveEscape}
        size="xs"
        // Otherwise the viewer would take the press for the beginning of a swipe.
        onPointerDown={(event) => event.stopPropagation()}
        onClick={again}
      >
        Try again
      </Button>
    </div>
  )
}
