// Facts about setting a pin or a box by keyboard.
import { expect, test } from 'vitest'
import { type At, boxOf, movedBy, placeWords, setBy, startOf } from './mark-keys.ts'

const whole = { view: { scale: 1, x: 0, y: 0 }, size: { width: 400, height: 300 }, stage: { width: 800, height: 600 } }
/** So enlarged that the stage shows only the middle, from 37.5 % to 62.5 % of each side. */
const enlarged = { ...whole, view: { scale: 8, x: 0, y: 0 } }
const middle: At = [0.5, 0.5]

test('the crosshair starts in the middle of what is seen', () => {
  expect(startOf(whole)).toEqual([0.5, 0.5])
  expect(startOf({ ...enlarged, view: { scale: 8, x: 320, y: -240 } })).toEqual([0.4, 0.6])
})

test('an arrow key moves it by a hundredth, with Shift by a tenth, and other keys do not', () => {
  expect(movedBy('ArrowLeft', false, middle, whole)).toEqual([0.49, 0.5])
  expect(movedBy('ArrowRight', true, middle, whole)).toEqual([0.6, 0.5])
  expect(movedBy('ArrowUp', true, middle, whole)).toEqual([0.5, 0.4])
  expect(movedBy('ArrowDown', false, middle, whole)).toEqual([0.5, 0.51])
  for (const key of ['Home', 'a', '+']) expect(movedBy(key, false, middle, whole)).toBeNull()
})

test('it stays in the picture, and in the part of it that is seen', () => {
  expect(movedBy('ArrowLeft', true, [0.04, 1], whole)).toEqual([0, 1])
  expect(movedBy('ArrowDown', true, [0.04, 1], whole)).toEqual([0.04, 1])
  expect(movedBy('ArrowRight', true, [0.6, 0.5], enlarged)).toEqual([0.625, 0.5])
})

test('Enter sets a pin at once, and a box by two corners', () => {
  expect(setBy('pin', null, [0.4, 0.25])).toEqual({ kind: 'pin', lines: [[[0.4, 0.25]]] })
  expect(setBy('box', null, [0.4, 0.25])).toBeNull()
  const box = { kind: 'box', lines: [[middle, [0.4, 0.25]]] }
  expect(boxOf(middle, [0.4, 0.25])).toEqual(box)
  expect(setBy('box', middle, [0.4, 0.25])).toEqual(box)
})

test('a box whose corners are the same is a pin, as where a mouse clicks and does not drag', () => {
  expect(setBy('box', middle, middle)).toEqual({ kind: 'pin', lines: [[middle]] })
})

test('where it is, is said in few words', () => {
  expect(placeWords([0.4, 0.25])).toBe('40 % across, 25 % down')
})
