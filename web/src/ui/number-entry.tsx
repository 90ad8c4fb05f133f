// In charge of the field for a number that has a default value, which applies while the field is empty.
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { readNumber } from './number-text.ts'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> & {
  /** An empty text shows an empty field. */
  value: number | ''
  /** Called with `undefined` while the text is not a number: it is empty, only a minus sign, or has too many digits. */
  change: (value: number | undefined) => void
}

/**
 * The field shows what was typed as it was typed, such as `1.0` on the way to `1.05`, also if it is not a number, for example because
 * the user has emptied the field to type a new one. When the user leaves the field, it shows `value` again, unless the text has too
 * many digits for a number: such a text stays, with words that say so.
 */
export function NumberEntry({ value, change, error, ...shared }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  const problem = draft === null ? null : readNumber(draft).problem
  return (
    <NumberInput
      {...shared}
      // Otherwise, leaving the field would round a number that has too many digits.
      trimLeadingZeroesOnBlur={false}
      error={problem ?? error}
      value={draft ?? value}
      onChange={(entered) => {
        setDraft(typeof entered === 'number' ? null : entered)
        change(typeof entered === 'number' ? entered : readNumber(entered).value)
      }}
      onBlur={() => setDraft((typed) => (typed !== null && readNumber(typed).problem !== null ? typed : null))}
    />
  )
}
