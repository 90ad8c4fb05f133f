// Facts about a field of a form whose value somebody else may change before the user saves it.
import { expect, test } from 'vitest'
import { draftOf, followed, isEntered, isOvertaken, rebased, sentAs } from './field-draft.ts'

const typed = (text: string, begunOn = '10') => ({ ...draftOf(begunOn), text })

test('a field that was not typed in shows what somebody else has saved, and sends nothing', () => {
  const field = followed(draftOf('10'), '3')
  expect(field).toEqual(draftOf('3'))
  expect([isEntered(field), isOvertaken(field, null)]).toEqual([false, false])
})

test('what was typed stays when somebody else saves something else, and is overtaken, also where it is empty', () => {
  for (const text of ['25', '']) {
    const field = followed(typed(text), '3')
    expect(field.text).toBe(text)
    expect(isOvertaken(field, null)).toBe(true)
    expect(isOvertaken(rebased(field), null)).toBe(false)
  }
  expect(isOvertaken(followed(typed('25'), ''), null)).toBe(true)
})

test('nobody is overtaken by themselves, nor by who has saved the same', () => {
  expect(isOvertaken(followed(typed('25'), '25'), null)).toBe(false)
  // While 25 is being saved, the user types 26; the list is read again before the answer arrives.
  expect(isOvertaken(followed(typed('26'), '25'), '25')).toBe(false)
  expect(isOvertaken(followed(typed('26'), '25'), null)).toBe(true)
})

test('what was saved is what later changes are compared with, whatever way it was typed', () => {
  const sent = typed('3.00')
  expect(followed(sentAs(sent, sent, '3'), '5')).toEqual(draftOf('5'))
  expect(sentAs({ ...sent, text: '4' }, sent, '3')).toEqual({ text: '4', begunOn: '3', saved: '3' })
})
