// Facts about what a user is told whose answer to a gate was refused because somebody else acted at the same moment.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { overtakenWords, overtakingCode } from './overtaken.ts'
import type { Question } from './questions.ts'

const options = { kind: 'choose', title: 'Which one?', options: ['a', 'b', 'c'], min: 1, max: 1 } as const
const asks = (request: Question['request'] = { ...options, options: [...options.options] }): Question => ({
  ...{ node: 'pick', item: null, asked: null, request },
})
const run = (answers: Record<string, unknown>, status: 'succeeded' | 'cancelled' | 'running' = 'succeeded') => ({
  ...{ answers, status },
})
const sent = (question: Question, answer: unknown, isKept = false) => ({ question, answer, isKept })

test('who comes second reads what counts and what was not sent', () => {
  const mine = sent(asks(), { selected: [0] })
  expect(overtakenWords('no_open_question', mine, run({ pick: { selected: [1] } }))).toEqual({
    title: 'Somebody else answered first',
    message: '“Which one?”: Their answer counts: option 2. Yours was not sent: option 1.',
  })
})

test('the answer about an item is looked up as the answer of that item', () => {
  const approve = { ...asks({ kind: 'approve', title: 'Good?', value: 'x' }), item: 1 }
  const mine = sent(approve, { approved: true })
  const answers = { 'pick/0': { approved: true }, 'pick/1': { approved: false, note: 'Too dark' } }
  expect(overtakenWords('no_open_question', mine, run(answers)).message).toBe(
    '“Good?”: Their answer counts: not approved, with the note “Too dark”. Yours was not sent: approved.',
  )
})

test('an edited value is not put into the message, which says that a kept text is still there', () => {
  const edit = sent(asks({ kind: 'edit', title: 'Check it', value: 'x' }), { value: 'Mine' }, true)
  expect(overtakenWords('no_open_question', edit, run({ pick: { value: 'Theirs' } })).message).toBe(
    '“Check it”: Their answer counts. Yours was not sent. What you wrote is still on this page.',
  )
})

test('if the same was answered, as by an earlier press whose response was lost, nothing sounds lost', () => {
  const mine = sent(asks(), { selected: [1] })
  expect(overtakenWords('no_open_question', mine, run({ pick: { selected: [1] } })).title).toBe('Answered already')
})

test('without an answer, the words say what has become of the question', () => {
  const mine = sent(asks(), { selected: [0] })
  const message = (...[code, now]: [Parameters<typeof overtakenWords>[0], Parameters<typeof overtakenWords>[2]]) =>
    overtakenWords(code, mine, now).message
  expect(message('question_changed', run({}))).toMatch(
    /^What “Which one\?” asks about was made anew .* answer again\.$/,
  )
  expect(message('no_open_question', run({}, 'cancelled'))).toMatch(/^Somebody stopped the run/)
  expect(message('no_open_question', run({}, 'running'))).toMatch(/is being made anew/)
  expect(message('no_open_question', null)).toMatch(
    /^“Which one\?” does not ask any more\. Yours was not sent: option 1\.$/,
  )
  expect(message('run_deleted', null)).toMatch(/^Somebody deleted the run/)
  expect(message('run_exported', null)).toMatch(/^Somebody exported/)
})

test('other errors keep the words of the service', () => {
  const refused = (code: CallError['code']) => new CallError({ status: 409, code, detail: '', errors: [] })
  expect(overtakingCode(refused('no_open_question'))).toBe('no_open_question')
  expect([overtakingCode(refused('node_types_missing')), overtakingCode(new TypeError())]).toEqual([null, null])
})
