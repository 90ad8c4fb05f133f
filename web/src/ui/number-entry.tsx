// In charge of the field for a number whose value is never empty, because a default stands in for it.
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> & {
  /** An empty text shows an empty field. */
  value: number | ''
  /** Called with `undefined` while the text is not a number: it is empty, or only a minus sign. */
  change: (value: number | undefined) => void
}

/**
 * While its text is not a number, as when a user has emptied it in order to type another one, the field keeps the text instead of
 * showing `value`. It shows `value` again when the user leaves it.
 */
export function NumberEntry({ value, change, ...shared }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <NumberInput
      {...shared}
      value={draft ?? value}
      onChange={(entered) => {
        const isNumber = typeof entered === 'number'
        setDraft(isNumber ? null : entered)
        change(isNumber ? entered : undefined)
      }}
      onBlur={() => setDraft(null)}
    />
  )
}
