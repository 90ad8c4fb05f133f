// Facts about the node type `text.validate`.
import { expect, test } from 'vitest'
import { callNode } from '../../test/support/nodes.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { textValidate } from './text-validate.ts'

const check = async (text: string, params: Record<string, unknown> = {}) =>
  (await callNode(textValidate, { params, inputs: { text } })).outputs

test('a text with nothing wrong passes', async () => {
  expect(await check('Ice cold.')).toEqual({ ok: true, problems: [], passed: 'Ice cold.' })
})

test('a text with problems goes the other way, with each of them in a sentence', async () => {
  const params = { slot: 'google_headline', banned: ['best in  the world', 'guarantee*'], required: ['Terms apply.'] }
  expect(await check('The best in the world, guaranteed for you', params)).toEqual({
    ok: false,
    problems: [
      'It has 41 characters; 30 is the most.',
      '“best in  the world” is banned.',
      '“guarantee*” is banned.',
      '“Terms apply.” is missing.',
    ],
    failed: 'The best in the world, guaranteed for you',
  })
})

test.for([
  ['Secure now', 'cure', false],
  ['The CURE is here', 'cure', true],
  ['Heilt über Nacht', 'Über', true],
  ['Übernachtung', 'über', false],
  ['C++ (fast)', '(fast)', true],
  ['a.b', 'a*b', false],
  ['miracures', '*cure*', true],
  ['miracures', '*cure', false],
] as const)('“%s” has the word “%s”: %j', async ([text, word, isThere]) => {
  expect((await check(text, { banned: [word] })).ok).toBe(!isThere)
})

test('an emoji of many parts is one character, and Google counts a Japanese one as two', async () => {
  expect((await check('👩‍👩‍👧‍👦', { max_characters: 1 })).ok).toBe(true)
  expect((await check('あ'.repeat(16), { slot: 'google_headline' })).problems).toEqual([
    'It has 32 characters; 30 is the most.',
  ])
  expect((await check('あ'.repeat(16), { slot: 'meta_headline' })).ok).toBe(true)
})

test('an empty text is too short', async () => {
  expect((await check('  ')).problems).toEqual(['It has 0 characters; 1 is the least.'])
})

test('what is required may stand in any case and over line ends', async () => {
  expect((await check('Cold.\nTERMS\napply.', { required: ['Terms apply.'] })).ok).toBe(true)
})

test('stars before blanks, over a long run of blanks, are found in no time', async () => {
  const banned = Array.from({ length: 500 }, (_, at) => `* x${at}`)
  const started = processorMs()
  expect((await check(`${' '.repeat(19_990)}.`, { banned })).ok).toBe(true)
  expect(processorMs() - started).toBeLessThan(5000)
})

test('others have their turns while it searches, and a cancel ends it', async () => {
  const text = 'a'.repeat(20_000)
  const banned = Array.from({ length: 500 }, (_, at) => `${'a'.repeat(290)}b${at}`)
  const stop = new AbortController()
  setImmediate(() => stop.abort(new Error('cancelled')))
  const call = callNode(textValidate, { params: { banned }, inputs: { text }, signal: stop.signal })
  await expect(call).rejects.toThrow('cancelled')
})
