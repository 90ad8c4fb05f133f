// In charge of what is shown in place of a picture, film or sound that could not be loaded, because it could not be reached.
import { Button } from '@mantine/core'
import { leaveEscape } from './leave-escape.ts'

export const NotLoaded = ({ again }: { again: () => void }) => (
  <div className="not-loaded" role="status">
    <p>The file could not be loaded.</p>
    <Button
      {...leaveEscape}
      size="xs"
      // Otherwise the viewer would take the press for the beginning of a swipe.
      onPointerDown={(event) => event.stopPropagation()}
      onClick={({ currentTarget }) => {
        // This button disappears when the file is loaded. The keys of what surrounds it must go on working.
        currentTarget.closest<HTMLElement>('dialog, main')?.focus()
        again()
      }}
    >
      Try again
    </Button>
  </div>
)
