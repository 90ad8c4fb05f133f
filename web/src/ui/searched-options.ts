// In charge of the options of a field in which users choose one record that the service searches: what is searched, and what is
// offered and marked. The chosen record is among the field's options for its label, even if a search does not find it.
import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useMarkTyped } from './use-mark-typed.ts'

/** `label`: what the field contains after the choice. */
type Chosen = { value: string; label: string } | null

/** What is searched for; empty for all. After a choice, the field contains the label of what is chosen, which is no search text. */
export const searchOf = (text: string, chosen: Chosen): string => (text.trim() === chosen?.label ? '' : text.trim())

/** The options of the field: what was found, and what is chosen. */
export function optionsOf(found: readonly ComboboxItem[], chosen: Chosen): ComboboxItem[] {
  const labels = new Map(found.map(({ value, label }) => [value, label]))
  if (chosen) labels.set(chosen.value, chosen.label)
  return [...labels].map(([value, label]) => ({ value, label }))
}

/** The options that are offered. While something is searched for, what is chosen is offered only if it was found: Enter takes the first. */
export const offeredOf = (
  options: readonly ComboboxParsedItem[],
  found: readonly ComboboxItem[],
  search: string,
): ComboboxParsedItem[] =>
  options.filter((one) => search === '' || !('value' in one) || found.some(({ value }) => value === one.value))

/** The text in such a field. `wanted`: what the service is to search, a moment after the last key. */
export function useSearchText(chosen: Chosen) {
  const [search, setSearch] = useState('')
  const [awaited] = useDebouncedValue(search, 200)
  return { search, setSearch, wanted: searchOf(awaited, chosen), isAwaited: search === awaited }
}

type Searched = { search: string; chosen: Chosen; found: readonly ComboboxItem[]; isFound: boolean }

/** The props of a `Select`. `isFound`: whether `found` is what fits `search`. */
export function useSearchedOptions({ search, chosen, found, isFound }: Searched) {
  const typed = searchOf(search, chosen)
  return {
    data: optionsOf(found, chosen),
    selectFirstOptionOnChange: useMarkTyped(typed === '' ? '' : search, isFound),
    // The service has already searched, so all that it found is offered.
    filter: ({ options }: { options: ComboboxParsedItem[] }) => offeredOf(options, found, typed),
  }
}
