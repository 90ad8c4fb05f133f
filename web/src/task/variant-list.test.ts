// Facts about changes to the list of variants.
import { expect, test } from 'vitest'
import { nextVariant, withVariant } from './variant-list.ts'

const first = nextVariant([])

test('a new variant has the next number and a key of its own', () => {
  expect(first).toMatchObject({ key: 'v1', variation_num: 1 })
  expect(nextVariant([{ ...first, key: 'v5', variation_num: 4 }])).toMatchObject({ key: 'v5-2', variation_num: 5 })
})

test('a changed variant keeps one place, in the order of numbers', () => {
  const second = nextVariant([first])
  const list = withVariant([first, second], 'v1', { ...first, key: 'hero', variation_num: 9 })
  expect(list.map(({ key }) => key)).toEqual(['v2', 'hero'])
})
