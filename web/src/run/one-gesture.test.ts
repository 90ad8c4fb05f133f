// Facts about gestures: one that has answered a question does not answer the next one.
import { expect, test } from 'vitest'
import {
  answered,
  clicked,
  type Hand,
  idleHand,
  keyed,
  notTyping,
  type Press,
  pressed,
  replaced,
  typed,
} from './one-gesture.ts'

/** Presses and clicks, at a question that has been shown since `shownAt`. */
const click = (hand: Hand, press: Press, { detail = 1, shownAt = 0 } = {}) =>
  clicked(pressed(hand, press), detail, shownAt)

const at = (ms: number, x = 100): Press => ({ at: ms, x, y: 50 })
/** An answer was given by a click at 1000 ms. */
const afterAnswer = answered(click(idleHand, at(1000)).hand)

test('the second press of a double click and the third of a triple click do not answer the next question', () => {
  const second = click(afterAnswer, at(1280), { shownAt: 1200 })
  expect(second.isMeant).toBe(false)
  expect(click(second.hand, at(1600)).isMeant).toBe(false)
  expect(click(second.hand, at(1281 + 500)).isMeant).toBe(true)
  // Two taps of a finger are some pixels apart.
  expect(click(afterAnswer, at(1280, 120)).isMeant).toBe(false)
})

test('whoever has set a long time for double clicks is taken at their system’s word', () => {
  expect(click(afterAnswer, at(1900), { detail: 2 }).isMeant).toBe(false)
  const second = click(afterAnswer, at(1800), { detail: 2 })
  expect(click(second.hand, at(2600), { detail: 3 }).isMeant).toBe(false)
  expect(click(idleHand, at(1900), { detail: 2 }).isMeant).toBe(true)
})

test('a press elsewhere, a later one, and one that followed no answer are meant', () => {
  expect(click(afterAnswer, at(1280, 300)).isMeant).toBe(true)
  expect(click(afterAnswer, at(1501)).isMeant).toBe(true)
  const elsewhere = click(afterAnswer, at(1200, 300)).hand
  expect(click(elsewhere, at(1400)).isMeant).toBe(true)
  const picked = click(idleHand, at(1000)).hand
  expect(click(picked, at(1100), { detail: 2 }).isMeant).toBe(true)
})

test('a press that began before the question was shown is not meant for it', () => {
  expect(click(idleHand, at(1000), { shownAt: 1001 }).isMeant).toBe(false)
  expect(click(idleHand, at(1000), { shownAt: 1000 }).isMeant).toBe(true)
})

test('clicks that come from keys or programs are always meant, also where the pointer has answered before', () => {
  expect(clicked(afterAnswer, 0, 2000).isMeant).toBe(true)
  expect(clicked(afterAnswer, 1, 2000).isMeant).toBe(true)
  // An answer by a key is no gesture of the pointer, which may be at the same place.
  const byKey = answered(keyed(click(idleHand, at(1000)).hand))
  expect(click(byKey, at(1100)).isMeant).toBe(true)
})

test('keys that go on after their field has gone with its question are not meant for the next, until there is a pause', () => {
  const inField = typed(notTyping, 1000, true).typing
  const held = replaced(inField, 1800)
  const one = typed(held, 1900, false)
  expect(one.isMeant).toBe(false)
  const two = typed(one.typing, 2800, false)
  expect(two.isMeant).toBe(false)
  expect(typed(two.typing, 3801, false)).toEqual({ typing: notTyping, isMeant: true })
  // Whoever goes on in another field means it.
  expect(typed(held, 1900, true).isMeant).toBe(true)
})

test('keys outside of fields, and those long after the last letter, are meant for the question that is shown', () => {
  expect(typed(replaced(notTyping, 1000), 1001, false).isMeant).toBe(true)
  expect(replaced(typed(notTyping, 1000, true).typing, 2001)).toEqual(notTyping)
  expect(typed(typed(notTyping, 1000, true).typing, 1100, false).isMeant).toBe(true)
})
