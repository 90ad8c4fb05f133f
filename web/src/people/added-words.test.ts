// Facts about what admins are told of how a new person signs in.
import { expect, test } from 'vitest'
import { addedWords, beforeWords } from './added-words.ts'

test('whether there is an identity provider or not, an added person signs in by a link, and no invitation is sent', () => {
  for (const method of ['link', 'issuer'] as const) {
    expect(beforeWords[method]).toContain('No invitation is sent.')
    expect(addedWords('Ann', method)).toMatch(/^Added “Ann”\. They sign in by a link/)
  }
})

test('with an identity provider, it is said that signing in there makes another person', () => {
  expect(beforeWords.issuer).toContain('stays another one')
  expect(addedWords('Ann', 'issuer')).toContain('not with the identity provider')
})
