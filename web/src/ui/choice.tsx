// In charge of the fields in which users search one or several options by typing: the first that fits is marked,
// and in a field of several, the first that is not picked yet.
import { getParsedComboboxData, MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { cutFilter } from './cut-list.ts'
import { hasUnpicked, unpickedFirst } from './unpicked-first.ts'
import { useMarkTyped } from './use-mark-typed.ts'

type OwnMark = 'onInput' | 'selectFirstOptionOnChange'

export function Choice(props: Omit<SelectProps, OwnMark>) {
  return <Select {...props} {...useTyped(props)} />
}

/** After each choice the field is empty again, so that one more Enter chooses nothing. */
export function MultiChoice(props: Omit<MultiSelectProps, OwnMark | 'filter' | 'value'> & Picked) {
  const { data, value } = props
  const fitting = (search: string) =>
    fittingOf({ options: getParsedComboboxData<string>(data), search, limit: Number.POSITIVE_INFINITY })
  return (
    <MultiSelect
      {...props}
      filter={({ search }) => (search.trim() === '' ? fitting(search) : unpickedFirst(fitting(search), value))}
      {...useTyped(props, (typed) => hasUnpicked(fitting(typed), value))}
    />
  )
}

const fittingOf = cutFilter(Number.POSITIVE_INFINITY)

/** The values that are chosen already. */
type Picked = { value: string[] }

type Left = {
  onBlur?: ((event: FocusEvent<HTMLInputElement>) => void) | undefined
  onOptionSubmit?: ((value: string) => void) | undefined
}

/** What a field contains was typed until something is chosen or the field is left; then it is the label of what is chosen, or nothing. */
function useTyped({ onBlur, onOptionSubmit }: Left, mayMark: (typed: string) => boolean = () => true) {
  const [typed, setTyped] = useState('')
  return {
    selectFirstOptionOnChange: useMarkTyped(typed, typed.trim() === '' || mayMark(typed)),
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
