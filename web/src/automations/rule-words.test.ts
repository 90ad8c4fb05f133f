// Facts about describing a group of rules in words.
import { expect, test } from 'vitest'
import { offered } from '../board/filter-fields.ts'
import { asksForDay, ruleWords } from './rule-words.ts'

const base = { nullable: true, vocabulary: null, values: null }
const fields = offered(
  [
    { ...base, name: 'media_type', label: 'Media type', type: 'text', operators: ['=', 'in'], vocabulary: 'MediaType' },
    { ...base, name: 'priority', label: 'Priority', type: 'integer', operators: ['<=', 'null'] },
    { ...base, name: 'deadline_at', label: 'Deadline', type: 'datetime', operators: ['<='] },
  ],
  { vocabularies: { MediaType: [{ value: 'image', label: 'Image' }] }, references: {} },
)
const image = { field: 'media_type', operator: '=', value: 'image' }
const urgent = { field: 'priority', operator: '<=', value: 2 }

test('every task is no words', () => {
  expect(ruleWords(null, fields)).toBe('')
  expect(ruleWords({ combinator: 'and', rules: [] }, fields)).toBe('')
})

test('fields, operators and values are read by their labels', () => {
  expect(ruleWords({ combinator: 'and', rules: [image, urgent] }, fields)).toBe(
    'Media type is Image and Priority is at most 2',
  )
})

test('a day is said with the moment that the service takes it for, and a moment as it is', () => {
  const due = (operator: string, value: unknown) => ({ rules: [{ field: 'deadline_at', operator, value }] })
  expect(ruleWords(due('<=', '2026-10-31'), fields)).toBe('Deadline is until 2026-10-31, 00:00 UTC')
  expect(ruleWords(due('<=', '2026-10-31T09:30:00Z'), fields)).toBe('Deadline is until 2026-10-31T09:30:00Z')
})

test('the form is told of a condition about a day, also within a group', () => {
  const due = { field: 'deadline_at', operator: '<=', value: '' }
  const group = (...rules: unknown[]) => ({ combinator: 'and', rules })
  expect(asksForDay(group(image, group(due)), fields)).toBe(true)
  expect(asksForDay(group(image, group(urgent)), fields)).toBe(false)
  // “Is empty” and “is not empty” ask for no day.
  for (const operator of ['null', 'notNull']) expect(asksForDay(group({ ...due, operator }), fields)).toBe(false)
})

test('groups within groups keep together', () => {
  const group = {
    combinator: 'and',
    rules: [image, { combinator: 'or', rules: [urgent, { ...image, operator: 'in' }] }],
  }
  expect(ruleWords(group, fields)).toBe('Media type is Image and (Priority is at most 2 or Media type is one of Image)')
})

test('what needs no value has none, and what is not known is said as it is', () => {
  const group = {
    rules: [
      { field: 'priority', operator: 'null', value: '' },
      { field: 'gone', operator: '~', value: 1 },
    ],
  }
  expect(ruleWords(group, fields)).toBe('Priority is empty and gone ~ 1')
})
