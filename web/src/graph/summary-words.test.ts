// Facts about the summaries of checkpoints as people read them.
import { expect, test } from 'vitest'
import { fullWords } from '../lib/dates.ts'
import { summaryWords } from './summary-words.ts'

test('a time in a summary is one of the calendar of the reader', () => {
  const at = '2026-11-28T03:25:38.284Z'
  const text = `As it stood at ${fullWords(at)}`
  expect(summaryWords(`as it stood at ${at}`)).toEqual({ text, runId: null })
  expect(summaryWords(`Restored as it stood at ${at}`).text).toBe(`Restored as it stood at ${fullWords(at)}`)
})

test('the run that a summary names is apart from its words', () => {
  const runId = '01a2202f-0c1d-7a3b-8f00-0123456789ab'
  expect(summaryWords(`promoted from the run ${runId}`)).toEqual({ text: 'Promoted from a run', runId })
})

test('any other summary stays as it is', () => {
  const words = 'name is now “2026-11-28”; 3 nodes added'
  expect(summaryWords(words)).toEqual({ text: `N${words.slice(1)}`, runId: null })
})
