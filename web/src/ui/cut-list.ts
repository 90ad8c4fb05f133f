// In charge of saying that a list of choices is cut: above the options stands how many are shown. Pure.
import type { ComboboxParsedItem, OptionsFilter } from '@mantine/core'

export const cutWords = (count: number): string => `The first ${count}; type to narrow`

/** The options of a `Select`, below a line that says that they are cut; `cutAt` is how many are shown, null if all are. */
export const underCut = (options: ComboboxParsedItem[], cutAt: number | null): ComboboxParsedItem[] =>
  cutAt === null ? options : [{ group: cutWords(cutAt), items: optionsIn(options) }]

/** The `filter` of a `Select` that shows at most `most` of the options that contain the search text. */
export const cutFilter =
  (most: number): OptionsFilter =>
  ({ options, search }) => {
    const wanted = search.trim().toLowerCase()
    const fitting = optionsIn(options).filter(({ label }) => label.toLowerCase().includes(wanted))
    return underCut(fitting.slice(0, most), fitting.length > most ? most : null)
  }

const optionsIn = (options: ComboboxParsedItem[]) =>
  options.flatMap((option) => ('group' in option ? option.items : [option]))
