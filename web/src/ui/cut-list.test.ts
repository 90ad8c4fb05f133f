// Facts about lists of choices that are cut.
import { expect, test } from 'vitest'
import { cutFilter, cutWords } from './cut-list.ts'

const options = ['Anna', 'Anton', 'Bob'].map((label) => ({ value: label, label, disabled: false }))
const shown = (search: string) => cutFilter(2)({ options, search, limit: Number.POSITIVE_INFINITY })

test('a list that is cut says so and how to see the rest', () => {
  expect(cutWords(50)).toBe('The first 50; type to narrow')
  expect(shown('')).toEqual([{ group: cutWords(2), items: options.slice(0, 2) }])
})

test('a list of all that fits says nothing', () => {
  expect(shown(' AN')).toEqual(options.slice(0, 2))
  expect(shown('bob')).toEqual(options.slice(2))
  expect(shown('zoe')).toEqual([])
})
