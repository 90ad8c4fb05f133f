// In charge of dialogs that exist only while they are open. When such a dialog closes, the element that opened it gets the focus back.
// Mantine's own `returnFocus` works only for dialogs that stay in the page while they are closed. A dialog with a form is not closed
// by a click beside it once something was entered: a slip of the mouse would throw it away. Escape and the buttons still close it.
// The warnings of the page below are shown in the dialog too, because it covers them.
import { Modal, type ModalProps } from '@mantine/core'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { giveFocusBack, openerOf } from './opener.ts'
import { Warnings } from './warnings.tsx'

type Props = Omit<ModalProps, 'opened' | 'returnFocus' | 'onChange' | 'onClick'>

export function Dialog({ closeOnClickOutside = true, children, ...props }: Props) {
  const [isEntered, setIsEntered] = useState(false)

  // Read while the dialog is rendered for the first time, because the dialog takes the focus soon after.
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(() => () => giveFocusBack(opener), [opener])
  return (
    <Modal
      opened
      returnFocus={false}
      {...props}
      closeOnClickOutside={closeOnClickOutside && !isEntered}
      onChange={(event) => holdsForm(event) && setIsEntered(true)}
      onClick={(event) => holdsForm(event) && isChoice(event.target) && setIsEntered(true)}
    >
      <Warnings />
      {children}
    </Modal>
  )
}

const holdsForm = ({ currentTarget }: SyntheticEvent): boolean => currentTarget.querySelector('form') !== null

/**
 * Whether a click here changes a form without an event of its own: on an option of a list, which may stand elsewhere in the page, or
 * on a button of the form, such as one that adds or removes a condition.
 */
const isChoice = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[role="option"], form button') !== null
