// Facts about which columns are read again when tasks have changed.
import { expect, test } from 'vitest'
import { columnsToRead } from './told-columns.ts'

const held = [
  { name: 'backlog', ids: new Set(['a', 'b']), isWhole: true },
  { name: 'done', ids: new Set(['c']), isWhole: true },
] as const
const partly = held.map((column) => ({ ...column, isWhole: column.name !== 'done' }))

test('a task that moved: where it stood, and where it stands', () => {
  expect(columnsToRead([{ id: 'a', column: 'done', isNew: false }], held)).toEqual(new Set(['backlog', 'done']))
})

test('a task that stayed: its column alone', () => {
  expect(columnsToRead([{ id: 'c', column: 'done', isNew: false }], partly)).toEqual(new Set(['done']))
})

test('a new task: the column it was made in', () => {
  expect(columnsToRead([{ id: 'x', column: 'backlog', isNew: true }], partly)).toEqual(new Set(['backlog']))
})

test('a task that is gone for good: where it stood', () => {
  expect(columnsToRead([{ id: 'b', column: null, isNew: false }], held)).toEqual(new Set(['backlog']))
})

test('a task from a page that was not read: all of them, for one of them counts one less', () => {
  expect(columnsToRead([{ id: 'x', column: 'backlog', isNew: false }], partly)).toBe('all')
})
