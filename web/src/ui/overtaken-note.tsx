// In charge of the note under a field in which the user has typed while somebody else has saved another text: it shows that text, and
// offers both.
import { Button } from '@mantine/core'
import { useRef } from 'react'
import './field-note.css'
import { leaveEscape } from './leave-escape.ts'

/** `theirs`: the text that is saved now. `inViewer`: whether the field is in the viewer, which may stand above another dialog. */
type Props = { theirs: string; useMine: () => void; takeTheirs: () => void; inViewer?: boolean }

export function OvertakenNote({ theirs, useMine, takeTheirs, inViewer = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const given = inViewer ? leaveEscape : {}
  /** Makes a handler that moves the focus to the field before it acts, because the pressed button disappears with the note. */
  const choosing = (act: () => void) => () => {
    const field = place.current?.parentElement
    // Of several fields that are saved as one, such as the conditions of an automation, the first; and if there are none, a button.
    const first =
      field?.querySelector<HTMLElement>('textarea, input') ?? field?.querySelector<HTMLElement>('select, button')
    first?.focus()
    act()
  }
  return (
    <div ref={place} className="field-note" role="alert" data-state="overtaken">
      <span>This was changed elsewhere while you were writing. It says now:</span>
      <q>{theirs}</q>
      <span>What you wrote stands above, and is not saved.</span>
      <span className="field-note-tools">
        <Button {...given} size="compact-xs" variant="light" onClick={choosing(useMine)}>
          Use mine
        </Button>
        <Button {...given} size="compact-xs" variant="default" onClick={choosing(takeTheirs)}>
          Take theirs
        </Button>
      </span>
    </div>
  )
}
