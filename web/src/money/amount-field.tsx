// In charge of the field for an amount of money. It keeps what is typed, says below how it reads an amount that may be read in more
// than one way, and why something is no amount.
import { amountWords } from '@atelier/contract/money.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { leaveEscape } from '../ui/leave-escape.ts'
import { readAmount } from './micros.ts'

type Props = Pick<TextInputProps, 'inputContainer' | 'mb' | 'placeholder'> & {
  /** The label is followed by the currency. */
  label: string
  currency: string
  text: string
  write: (text: string) => void
  hint?: string
  /** Whether the field has the focus once its dialog is open. */
  isFirst?: boolean
}

export function AmountField({ label, currency, text, write, hint = '', isFirst = false, ...given }: Props) {
  const written = text.trim() === '' ? null : readAmount(text)
  const isDoubtful = written !== null && 'micros' in written && !written.isPlain
  return (
    <TextInput
      {...given}
      {...leaveEscape}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      className="amount-field"
      label={`${label}, in ${currency}`}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      error={written !== null && 'refusal' in written ? written.refusal : null}
      description={isDoubtful ? `That is ${amountWords(written.micros, currency)}. ${hint}`.trim() : hint}
    />
  )
}
