// Facts about which arrow keys scroll a note or a table that has the focus, and which go to another node.
import { expect, test } from 'vitest'
import { scrollsArea } from './editor-keys.ts'

const pressed = (key: string, shiftKey = false) => ({ key, shiftKey })
const long = { scrollWidth: 200, clientWidth: 200, scrollHeight: 900, clientHeight: 140 }
const wide = { scrollWidth: 900, clientWidth: 200, scrollHeight: 140, clientHeight: 140 }

test('an arrow scrolls an area in the direction in which there is more of it', () => {
  expect(scrollsArea(pressed('ArrowDown'), long)).toBe(true)
  expect(scrollsArea(pressed('ArrowUp'), long)).toBe(true)
  expect(scrollsArea(pressed('ArrowRight'), wide)).toBe(true)
  expect(scrollsArea(pressed('ArrowLeft'), wide)).toBe(true)
})

test('where nothing is out of sight, and outside such areas, arrows go to other nodes', () => {
  expect(scrollsArea(pressed('ArrowRight'), long)).toBe(false)
  expect(scrollsArea(pressed('ArrowDown'), { ...wide, scrollHeight: 141 })).toBe(false)
  expect(scrollsArea(pressed('ArrowDown'), null)).toBe(false)
})

test('with Shift, arrows move what is selected; other keys are shortcuts as elsewhere', () => {
  expect(scrollsArea(pressed('ArrowDown', true), long)).toBe(false)
  expect(scrollsArea(pressed('r'), long)).toBe(false)
})
