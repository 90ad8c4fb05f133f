// Facts about the name of whoever has written or decided something.
import { expect, test } from 'vitest'
import { authorName } from './author-name.ts'

test('a person without a name is no integration', () => {
  expect(authorName({ user_id: 'mia', name: 'Mia' })).toBe('Mia')
  expect(authorName({ user_id: 'mia', name: null })).toBe('Unnamed')
  expect(authorName({ user_id: null, name: null })).toBe('An integration')
  expect(authorName({ user_id: null, name: 'Ads API' })).toBe('Ads API')
})
