// Facts about the text in a field for a name that other people may change meanwhile.
import { expect, test } from 'vitest'
import { changedName, draftOf, followed, isOvertaken, rebased, settled } from './name-draft.ts'

const typed = (text: string) => ({ ...draftOf('Glow'), text })

test('a field in which nothing was typed shows the name that somebody else gave, and saves nothing', () => {
  const draft = followed(draftOf('Glow'), 'Glow Serum')
  expect(draft.text).toBe('Glow Serum')
  expect(changedName(draft)).toBeNull()
})

test('what was typed stays when somebody else saves another name, and is not saved over it unless the user says so', () => {
  const draft = followed(typed('Glow Cream'), 'Glow Serum')
  expect(draft.text).toBe('Glow Cream')
  expect(isOvertaken(draft)).toBe(true)
  expect(isOvertaken(rebased(draft))).toBe(false)
  expect(changedName(rebased(draft))).toBe('Glow Cream')
})

test('nobody is in the way who saves the name that one has typed or sent, or while nothing is typed', () => {
  expect(isOvertaken(typed('Glow Cream'))).toBe(false)
  expect(isOvertaken(followed(typed('Glow Cream'), 'Glow Cream'))).toBe(false)
  expect(isOvertaken(followed(typed('Glow Cream 2'), 'Glow Cream'), 'Glow Cream')).toBe(false)
  expect(isOvertaken(followed(draftOf('Glow'), 'Glow Serum'))).toBe(false)
})

test('a name that was typed and taken back is not written over another one', () => {
  expect(changedName({ ...followed(typed('Glow Cream'), 'Glow Serum'), text: 'Glow' })).toBeNull()
})

test('after a save, the field follows the saved name again, unless the user has typed on', () => {
  const saved = settled(typed(' Glow Cream '), 'Glow Cream')
  expect(saved).toEqual(draftOf('Glow Cream'))
  expect(followed(saved, 'Glow Balm')).toEqual(draftOf('Glow Balm'))
  expect(changedName(settled(typed('Glow Cream 2'), 'Glow Cream'))).toBe('Glow Cream 2')
})

test('an empty field and spaces around the name save nothing', () => {
  expect(changedName(typed('  '))).toBeNull()
  expect(changedName(typed(' Glow '))).toBeNull()
})
