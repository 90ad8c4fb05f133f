// In charge of saying why a control is off. Unlike other tooltips, the reason also appears on keyboard focus and on touch, because
// it stands nowhere else. The control must not have the attribute `disabled`, which would keep it from getting the focus.
import { Tooltip } from '@mantine/core'

type Props = {
  /** The reason why the control is off; null if it is on. */
  words: string | null
  /** What the control does; it appears under the pointer while the control is on. */
  tip?: string | null
  children: React.ReactElement
}

/** The attributes of a control that is off and keeps the focus. It also has to ignore presses by itself. */
export const offIf = (isOff: boolean) => (isOff ? { 'data-disabled': true, 'aria-disabled': true } : {})

export function Reason({ words, tip = null, children }: Props) {
  const isOff = words !== null
  const events = { hover: true, focus: isOff, touch: isOff }
  const label = words ?? tip
  return (
    <Tooltip label={label} disabled={label === null} events={events} multiline maw={250}>
      {children}
    </Tooltip>
  )
}
