// In charge of the field for a number that has a default value, which applies while the field is empty.
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> & {
  /** An empty text shows an empty field. */
  value: number | ''
  /** Called with `undefined` while the text is not a number: it is empty, or only a minus sign. */
  change: (value: number | undefined) => void
}

/**
 * While the text in the field is not a number, for example because the user has emptied the field to type a new number, the field
 * keeps this text instead of showing `value`. When the user leaves the field, it shows `value` again.
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
