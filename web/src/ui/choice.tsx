// In charge of the fields in which users search one or several options by typing: the first that fits is marked.
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { useMarkTyped } from './use-mark-typed.ts'

type OwnMark = 'onInput' | 'selectFirstOptionOnChange'

export function Choice(props: Omit<SelectProps, OwnMark>) {
  return <Select {...props} {...useTyped(props)} />
}

/** After each choice the field is empty again, so that one more Enter chooses nothing. */
export function MultiChoice(props: Omit<MultiSelectProps, OwnMark>) {
  return <MultiSelect {...props} {...useTyped(props)} />
}

type Left = {
  onBlur?: ((event: FocusEvent<HTMLInputElement>) => void) | undefined
  onOptionSubmit?: ((value: string) => void) | undefined
}

/** What a field contains was typed until something is chosen or the field is left; then it is the label of what is chosen, or nothing. */
function useTyped({ onBlur, onOptionSubmit }: Left) {
  const [typed, setTyped] = useState('')
  return {
    selectFirstOptionOnChange: useMarkTyped(typed),
    onInput: (event: FormEvent<HTMLInputElement>) => setTyped(event.currentTarget.value),
    onBlur: (event: FocusEvent<HTMLInputElement>) => {
      setTyped('')
      onBlur?.(event)
    },
    onOptionSubmit: (value: string) => {
      setTyped('')
      onOptionSubmit?.(value)
    },
  }
}
