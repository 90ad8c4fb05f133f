// Facts about finding the people whom a text mentions.
import { expect, test } from 'vitest'
import { mentionBegun, mentionedIn, mostMentioned } from './mentions.ts'

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'ann-lee', name: 'Ann Lee' },
  { id: 'jo', name: 'Jö Šafář' },
  { id: 'jo-too', name: 'jö šafář' },
  { id: 'unnamed', name: null },
  { id: 'blank', name: ' ' },
]

test.for([
  ['@Ann, look', ['ann']],
  ['@ann lee: look', ['ann-lee']],
  ['(@ANN) and @Ann Lee', ['ann', 'ann-lee']],
  ['@Annika and @Ann_', []],
  ['mail@Ann is an address', []],
  ['@JÖ ŠAFÁŘ', ['jo', 'jo-too']],
  ['@ nobody, @', []],
  ['@@Ann', ['ann']],
  ['', []],
] as const)('%j mentions %j', ([text, expected]) => {
  expect(mentionedIn(text, people)).toEqual(expected)
})

test('a text mentions no more people than it may', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: String(at), name: `P${at}` }))
  expect(mentionedIn(many.map(({ name }) => `@${name}`).join(' '), many)).toHaveLength(mostMentioned)
})

test('a name is being written from the last @ to the caret', () => {
  expect(mentionBegun('Hello @An', 9)).toEqual({ from: 6, begun: 'An' })
  expect(mentionBegun('Hello @Ann Le', 13)).toEqual({ from: 6, begun: 'Ann Le' })
  expect(mentionBegun('mail@An', 7)).toBeNull()
  expect(mentionBegun('@An\nnext', 8)).toBeNull()
  expect(mentionBegun('Hello', 5)).toBeNull()
})
