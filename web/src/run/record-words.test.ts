// Facts about the words that say why an exported run does not change any more.
import { expect, test } from 'vitest'
import { recordWords } from './record-words.ts'

test('a run of which no export made a creative is not said to have 0 files on a card', () => {
  expect([0, 1, 2].map((creatives) => recordWords(creatives).split(', so it is a record')[0])).toEqual([
    'What this run made became a new version of a creative, or a creative that is gone by now',
    '1 file of this run is on a card',
    '2 files of this run are on a card',
  ])
})
