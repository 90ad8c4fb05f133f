// Facts about which column a card is dropped in for each position of the pointer.
import { expect, test } from 'vitest'
import { columnAt } from './drop-target.ts'

const columns = [
  { name: 'backlog', left: 16, right: 284 },
  { name: 'done', left: 294, right: 562 },
]

test('it is the one the pointer is over, and between two of them the nearer one', () => {
  expect(columnAt(columns, 16)).toBe('backlog')
  expect(columnAt(columns, 287)).toBe('backlog')
  expect(columnAt(columns, 291)).toBe('done')
  for (let x = 16; x <= 562; x += 0.5) expect(columnAt(columns, x)).not.toBeNull()
})

test('beside them, as over a folded column, it is none', () => {
  expect(columnAt(columns, 0)).toBeNull()
  expect(columnAt(columns, 580)).toBeNull()
  expect(columnAt([], 100)).toBeNull()
})
