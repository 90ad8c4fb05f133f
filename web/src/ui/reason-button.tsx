// In charge of buttons that say why they are off. They keep the focus then, so that the reason can be read by keyboard.
import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { offIf, Reason } from './reason.tsx'

type Props = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'onClick'> & {
    /** The reason why the button is off; null if it is on. */
    off: string | null
    /** What the button does; it appears under the pointer while the button is on. */
    tip?: string | null
    onClick: () => void
  }

export function ReasonButton({ off, tip = null, onClick, ...others }: Props) {
  return (
    <Reason words={off} tip={tip}>
      <Button {...others} {...offIf(off !== null)} onClick={() => (off === null ? onClick() : undefined)} />
    </Reason>
  )
}
