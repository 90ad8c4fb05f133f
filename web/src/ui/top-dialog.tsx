// In charge of dialogs that must appear above the viewer; Mantine's own dialogs would be below it.
import { CloseButton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { leaveEscape } from './leave-escape.ts'
import { useTopDialog } from './top-layer.ts'
import './top-dialog.css'

type Props = { title: string; close: () => void; children: ReactNode }

export function TopDialog({ title, close, children }: Props) {
  const dialog = useTopDialog()
  const heading = useId()
  return (
    <dialog
      ref={dialog}
      className="top-dialog"
      aria-labelledby={heading}
      onClose={close}
      // The page below handles keys too, and must not receive keys such as Escape that are pressed in the dialog.
      onKeyDown={(event) => event.stopPropagation()}
      {...leaveEscape}
    >
      <div className="top-dialog-head">
        <h2 id={heading}>{title}</h2>
        <CloseButton aria-label="Close" onClick={close} {...leaveEscape} />
      </div>
      {children}
    </dialog>
  )
}
