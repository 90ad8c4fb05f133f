// Facts about the options of a field whose records the service searches.
import { expect, test } from 'vitest'
import { offeredOf, optionsOf, searchOf } from './searched-options.ts'

const yak = { value: 'yak', label: 'YAK' }
const yew = { value: 'yew', label: 'YEW' }
const zinc = { value: 'zinc', label: 'ZINC' }

test('what is chosen is among the options for its label, once, and with the label that the field contains', () => {
  expect(optionsOf([yak, yew], zinc)).toEqual([yak, yew, zinc])
  expect(optionsOf([{ ...zinc, label: 'ZINC (template)' }, yak], zinc)).toEqual([zinc, yak])
  expect(optionsOf([yak], null)).toEqual([yak])
})

test('the label of what is chosen is not searched for', () => {
  expect(searchOf(' ZINC ', zinc)).toBe('')
  expect(searchOf(' ZIN ', zinc)).toBe('ZIN')
  expect(searchOf('ZINC', null)).toBe('ZINC')
})

test('what is chosen is not offered while a search does not find it', () => {
  expect(offeredOf(optionsOf([], zinc), [], 'no such')).toEqual([])
  expect(offeredOf(optionsOf([yak], zinc), [yak], 'ya')).toEqual([yak])
  expect(offeredOf(optionsOf([yak, zinc], zinc), [yak, zinc], 'a')).toEqual([yak, zinc])
})

test('what is chosen is offered while nothing is searched for', () => {
  expect(offeredOf(optionsOf([yak], zinc), [yak], '')).toEqual([yak, zinc])
})
