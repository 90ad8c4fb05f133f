// Facts about the answers to uploads: whatever the answer is, an upload ends, and says why in words.
import { expect, test } from 'vitest'
import { wordsOf } from './errors.ts'
import { storedIn } from './upload.ts'

const wordsFor = (status: number, text: string): string => {
  try {
    return `stored as ${storedIn(status, text).digest}`
  } catch (error) {
    return wordsOf(error)
  }
}

test('an answer without a stored file, such as the page of a network that wants a sign-in, is an error that says what to do', () => {
  expect(wordsFor(201, '{"data":{"digest":"ab"}}')).toBe('stored as ab')
  for (const text of ['<p>Sign in to this network</p>', '', 'null', '{"data":null}', '{"data":{}}'])
    expect(wordsFor(200, text)).toMatch(/^Something else than the service has answered\./)
})

test('an upload that was refused says why, and one that was broken off says that the service cannot be reached', () => {
  expect(wordsFor(413, '{"code":"too_large","detail":"The file is too large."}')).toBe('The file is too large.')
  expect(wordsFor(0, '')).toMatch(/^The service cannot be reached\./)
})
