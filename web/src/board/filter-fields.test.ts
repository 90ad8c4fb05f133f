// Facts about which fields and operators the filter builder offers.
import { expect, test } from 'vitest'
import { offered, timeFields } from './filter-fields.ts'

const field = (name: string, type: string, more: object = {}) => ({
  name,
  label: name,
  type,
  nullable: true,
  operators: ['=', '<', 'null'],
  vocabulary: null,
  values: null,
  ...more,
})
const sources = {
  vocabularies: { Geo: [{ value: 'DE', label: 'Germany' }] },
  references: { assignee_id: [{ value: 'u1', label: 'Ada' }] },
}
const only = (name: string, type: string, more?: object) => offered([field(name, type, more)], sources)[0]

test('what has known values is chosen by its label', () => {
  expect(only('geo', 'enum', { vocabulary: 'Geo' })).toMatchObject({
    valueEditorType: 'select',
    values: [{ name: 'DE', label: 'Germany' }],
    defaultValue: 'DE',
  })
  expect(only('assignee_id', 'id')?.values).toEqual([{ name: 'u1', label: 'Ada' }])
  expect(only('test_status', 'enum', { values: [{ value: 'paused', label: 'Paused' }] })?.defaultValue).toBe('paused')
})

test('numbers, dates and texts get inputs that fit', () => {
  expect(only('priority', 'integer')?.inputType).toBe('number')
  expect(only('deadline_at', 'datetime')?.inputType).toBe('date')
  expect(only('name', 'text')?.inputType).toBe('text')
  expect(only('manual_launch', 'boolean')).toMatchObject({ valueEditorType: 'checkbox', defaultValue: false })
})

test('operators read as words, and those of dates as words about time', () => {
  expect(only('priority', 'integer')?.operators.map(({ label }) => label)).toEqual(['is', 'is below', 'is empty'])
  expect(only('deadline_at', 'datetime')?.operators.map(({ label }) => label)).toEqual(['is', 'is before', 'is empty'])
})

test('fields with a date and a time are told from the others', () => {
  const fields = [field('name', 'text'), field('deadline_at', 'datetime'), field('created_at', 'datetime')]
  expect(timeFields(fields)).toEqual(new Set(['deadline_at', 'created_at']))
})
