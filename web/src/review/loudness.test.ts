// Facts about the kept loudness of films and sounds.
import { expect, test } from 'vitest'
import { loudnessOf } from './loudness.ts'

test('what was kept is read again', () => {
  expect(loudnessOf('{"muted":true,"volume":0.3}')).toEqual({ muted: true, volume: 0.3 })
})

test.each([null, '', 'null', '3', '{', '{"muted":1,"volume":1}', '{"muted":true,"volume":7}', '{"muted":true}'])(
  'full volume is meant by %s',
  (stored) => {
    expect(loudnessOf(stored)).toEqual({ muted: false, volume: 1 })
  },
)
