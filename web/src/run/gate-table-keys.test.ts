// Facts about where keys in a cell of a table lead.
import { expect, test } from 'vitest'
import { type Selected, stepOf } from './gate-table-keys.ts'

const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
const step = (key: string, selected: Selected, more: Partial<typeof none> = {}) =>
  stepOf({ key, ...none, ...more }, selected, false)
const at = (start: number, end = start): Selected => ({ length: 4, start, end })

test('Enter goes down; with Shift, Alt or Ctrl it does something else, and where lines break by it, it stays', () => {
  expect(step('Enter', at(2))).toEqual({ rows: 1, columns: 0 })
  for (const held of ['shiftKey', 'altKey', 'ctrlKey', 'metaKey'])
    expect(step('Enter', at(2), { [held]: true })).toBeNull()
  expect(stepOf({ key: 'Enter', ...none }, at(2), true)).toBeNull()
})

test('arrows stay in the text until its end', () => {
  expect([
    step('ArrowRight', at(3)),
    step('ArrowLeft', at(1)),
    step('ArrowUp', at(4)),
    step('ArrowDown', at(0)),
  ]).toEqual([null, null, null, null])
  expect(step('ArrowRight', at(4))).toEqual({ rows: 0, columns: 1 })
  expect(step('ArrowDown', at(4))).toEqual({ rows: 1, columns: 0 })
  expect(step('ArrowLeft', at(0))).toEqual({ rows: 0, columns: -1 })
  expect(step('ArrowUp', at(0))).toEqual({ rows: -1, columns: 0 })
})

test('while all of the text is selected, or there is none, every arrow leads on', () => {
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
    expect(step(key, at(0, 4))).not.toBeNull()
    expect(step(key, { length: 0, start: 0, end: 0 })).not.toBeNull()
    expect(step(key, at(0, 4), { shiftKey: true })).toBeNull()
  }
})

test('in a choice, up and down choose, and left and right lead on', () => {
  expect([step('ArrowUp', null), step('ArrowDown', null)]).toEqual([null, null])
  expect(step('ArrowRight', null)).toEqual({ rows: 0, columns: 1 })
})
