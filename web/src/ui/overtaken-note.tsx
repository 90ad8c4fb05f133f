// In charge of the note under a field in which the user has typed while somebody else has saved another text: it shows that text, and
// offers both.
import { Button } from '@mantine/core'
import { useRef } from 'react'
import './field-note.css'

/** `theirs`: the text that is saved now. */
type Props = { theirs: string; useMine: () => void; takeTheirs: () => void }

export function OvertakenNote({ theirs, useMine, takeTheirs }: Props) {
  const place = useRef<HTMLDivElement>(null)
  /** Makes a handler that moves the focus to the field before it acts, because the pressed button disappears with the note. */
  const choosing = (act: () => void) => () => {
    place.current?.parentElement?.querySelector<HTMLElement>('textarea')?.focus()
    act()
  }
  return (
    <div ref={place} className="field-note" role="alert" data-state="overtaken">
      <span>This was changed elsewhere while you were writing. It says now:</span>
      <q>{theirs}</q>
      <span>What you wrote stands above, and is not saved.</span>
      <span className="field-note-tools">
        <Button size="compact-xs" variant="light" onClick={choosing(useMine)}>
          Use mine
        </Button>
        <Button size="compact-xs" variant="default" onClick={choosing(takeTheirs)}>
          Take theirs
        </Button>
      </span>
    </div>
  )
}
