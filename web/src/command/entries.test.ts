// Facts about which entries of the command palette match the typed text, and about their order.
import { expect, test } from 'vitest'
import { type Entry, entriesOf, fittingGroups, stepped } from './entries.ts'

const entry = (title: string, more: Partial<Entry> = {}): Entry => ({
  key: title,
  icon: 'board',
  title,
  act: () => undefined,
  ...more,
})
const groups = [
  { title: 'Tasks', entries: [entry('#12 Summer lookbook', { isFound: true }), entry('#7 Look', { isFound: true })] },
  { title: 'Pages', entries: [entry('Board'), entry('Lookup'), entry('Graphs')] },
]
const titles = (search: string) => entriesOf(fittingGroups(groups, search)).map(({ title }) => title)

test('nothing typed offers everything in its order', () => {
  expect(titles(' ')).toEqual(['#12 Summer lookbook', '#7 Look', 'Board', 'Lookup', 'Graphs'])
})

test('what fits stays, in its group, whole words before parts of words', () => {
  expect(titles('look')).toEqual(['#12 Summer lookbook', '#7 Look', 'Lookup'])
  expect(titles('#7 look')[0]).toBe('#7 Look')
  expect(titles('gr')).toEqual(['#12 Summer lookbook', '#7 Look', 'Graphs'])
})

test('what the service found stays last where its title does not have the words', () => {
  const found = [{ title: 'Tasks', entries: [entry('A', { isFound: true }), entry('Hook B'), entry('Other')] }]
  expect(entriesOf(fittingGroups(found, 'hook')).map(({ title }) => title)).toEqual(['Hook B', 'A'])
})

test('the arrows go round', () => {
  const entries = [entry('a'), entry('b')]
  expect(stepped(entries, null, 1)).toBe('a')
  expect(stepped(entries, null, -1)).toBe('b')
  expect(stepped(entries, 'b', 1)).toBe('a')
  expect(stepped(entries, 'a', -1)).toBe('b')
  expect(stepped(entries, 'gone', 1)).toBe('a')
  expect(stepped([], 'a', 1)).toBe(null)
})
