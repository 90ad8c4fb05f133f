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
    return {
      text,
      words: 'One entry a line.',
      isCode: false,
      // Blank lines are no entries, but a list that the user leaves alone keeps its empty entries.
      read: (typed) => ({ value: typed === text ? value : typed.split('\n').filter((line) => line.trim() !== '') }),
    }
  }
  return { text: JSON.stringify(value, null, 2), words: 'JSON.', isCode: true, read: readJson }
}
