// In charge of the field for a number that has a default value, which applies while the field is empty.
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useRef, useState } from 'react'
import { readNumber } from './number-text.ts'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onFocus' | 'onBlur'> & {
  /** An empty text shows an empty field. */
  value: number | ''
  /**
   * Called with `undefined` while the text is not a number: it is empty, or only a minus sign. Once it has too many digits, called with
   * the value that the field had when the user came to it: its beginning, which has been passed on, is another number.
   */
  change: (value: number | undefined) => void
}

/**
 * The field shows what was typed as it was typed, such as `1.0` on the way to `1.05`, also if it is not a number, for example because
 * the user has emptied the field to type a new one. When the user leaves the field, it shows `value` again, unless the text has too
 * many digits for a number: such a text stays, with words that say so.
 */
export function NumberEntry({ value, change, error, ...shared }: Props) {
  const begun = useRef(value)
  /** What was typed, and the value that the field had when the user came to it. */
  const [draft, setDraft] = useState<{ text: string; over: number | '' } | null>(null)
  const problem = draft && readNumber(draft.text).problem
  // The value was changed elsewhere, for example by an undo: it is shown in place of a text that is not saved.
  if (problem !== null && draft?.over !== value) setDraft(null)
  return (
    <NumberInput
      {...shared}
      // Otherwise, leaving the field would round a number that has too many digits.
      trimLeadingZeroesOnBlur={false}
      error={problem ?? error}
      value={draft?.text ?? value}
      onFocus={() => {
        begun.current = value
      }}
      onChange={(entered) => {
        if (typeof entered === 'number') {
          setDraft(null)
          return change(entered)
        }
        const over = begun.current
        setDraft({ text: entered, over })
        const read = readNumber(entered)
        change(read.problem === null ? read.value : over === '' ? undefined : over)
      }}
      onBlur={() => setDraft(problem === null ? null : draft)}
    />
  )
}
