// Facts about answers at gates that are sent to a service of the version before, which does not know that an answer names its question.
import { CallError } from '@atelier/contract/wire/calls.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { sendAnswer } from './send-answer.ts'

const refused = (...errors: ValidationError[]) => new CallError({ status: 422, code: 'invalid', detail: '', errors })
const extra = (name: string): ValidationError => ({
  ...{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' },
})
const answer = { node_id: 'pick', item: null, answer: { selected: [1] } }

/** Sends an answer that names its question to a service that refuses it with `refusal`. Returns what was sent, and what was thrown. */
async function sentTo(refusal: Error) {
  const sent: object[] = []
  const send = async (body: object) => {
    sent.push(body)
    if ('asked' in body) throw refusal
  }
  const thrown = await sendAnswer(send, { ...answer, asked: 'a hash' }).catch((problem: unknown) => problem)
  return { sent, thrown }
}

test('an answer is sent again without the name of its question to a service that does not know such names', async () => {
  expect(await sentTo(refused(extra('asked')))).toEqual({
    sent: [{ ...answer, asked: 'a hash' }, answer],
    thrown: undefined,
  })
})

test('an answer that is refused for anything else is sent once', async () => {
  const others = [
    refused(extra('asked'), extra('other')),
    refused(extra('other')),
    refused({ ...extra('asked'), type: 'string_type' }),
    refused({ ...extra('asked'), loc: ['body', 'answer', 'asked'] }),
    new CallError({ status: 409, code: 'no_open_question', detail: '' }),
    new TypeError('The connection was lost.'),
  ]
  for (const error of others) {
    const { sent, thrown } = await sentTo(error)
    expect(sent.length).toBe(1)
    expect(thrown).toBe(error)
  }
})
