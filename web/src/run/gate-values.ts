// In charge of how a value is edited as text at a gate. Pure.
import { readJson } from '../canvas/form-fields.ts'

type Entry = {
  text: string
  words: string
  isCode: boolean
  read: (typed: string) => { value: unknown } | { problem: string }
}

/** How a value is edited: a text as it is, a list of one-line texts with one text per line, and any other value as JSON. */
export function entryOf(value: unknown): Entry {
  if (typeof value === 'string') return { text: value, words: '', isCode: false, read: (typed) => ({ value: typed }) }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes('\n'))) {
    const text = value.join('\n')
    const empty = value.filter(isBlank).length
    return {
      text,
      words: empty === 0 ? 'One entry a line.' : `One entry a line: ${value.length} entries, ${empty} of them empty.`,
      isCode: false,
      read: (typed) => ({ value: typed === text ? value : entriesIn(typed, value) }),
    }
  }
  return { text: JSON.stringify(value, null, 2), words: 'JSON.', isCode: true, read: readJson }
}

const isBlank = (line: string): boolean => line.trim() === ''

/**
 * The entries that were typed. A list with empty entries keeps its blank lines, since it may be run over beside others of the same
 * length; only at the end, those beyond the ones it had are dropped. In any other list, blank lines are no entries.
 */
function entriesIn(typed: string, before: readonly string[]): string[] {
  const lines = typed.split('\n')
  if (!before.some(isBlank)) return lines.filter((line) => !isBlank(line))
  const atEnd = before.length - 1 - before.findLastIndex((line) => !isBlank(line))
  const last = lines.findLastIndex((line) => !isBlank(line))
  return lines.slice(0, last + 1 + atEnd)
}
