// In charge of what a field of several choices marks: the first option that fits and is not picked yet, because to submit a picked
// one takes it off. Pure.
import type { ComboboxParsedItem } from '@mantine/core'

const isPicked = (option: ComboboxParsedItem, picked: readonly string[]): boolean =>
  'value' in option && picked.includes(option.value)

/** The options, with those that are picked already at the end. */
export const unpickedFirst = (
  options: readonly ComboboxParsedItem[],
  picked: readonly string[],
): ComboboxParsedItem[] => [
  ...options.filter((option) => !isPicked(option, picked)),
  ...options.filter((option) => isPicked(option, picked)),
]

export const hasUnpicked = (options: readonly ComboboxParsedItem[], picked: readonly string[]): boolean =>
  options.some((option) => !isPicked(option, picked))
