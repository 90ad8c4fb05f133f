// In charge of `gate.approve`: a person approves or rejects a value.
import { errorAt, wrongType } from '@atelier/contract/wire/validation-errors.ts'
import Type from 'typebox'
import { AnyValue, defineNode, gives, needs } from './define.ts'
import { readAnswer } from './gate-answer.ts'

export const gateApprove = defineNode({
  type: 'gate.approve',
  title: 'Approve',
  summary: 'Waits until someone says yes or no.',
  group: 'gate',
  help: `
The run waits here until someone has looked at the value. **Approved** has it after a yes, **Rejected** after a no; what
follows on the other way is skipped. The note of whoever decided is a value too.`,
  params: {
    title: Type.String({
      title: 'Question',
      description: 'What the person is asked.',
      default: 'Is this good to go?',
      maxLength: 300,
      examples: ['Does the legal line stand in the picture?'],
    }),
  },
  inputs: { value: needs({ title: 'Value', description: 'What is to be approved.', schema: AnyValue }) },
  outputs: {
    approved: gives('Approved', 'The value, after a yes.', AnyValue),
    rejected: gives('Rejected', 'The value, after a no.', AnyValue),
    note: gives('Note', 'What the person wrote; empty where nothing was.', Type.String()),
  },
  request: Type.Object({ kind: Type.Literal('approve'), title: Type.String(), value: AnyValue }),
  ask: ({ params: { title }, inputs: { value } }) => ({ kind: 'approve' as const, title, value }),
  accept: ({ value }, answer) => {
    const { members, errors } = readAnswer(answer, ['approved'], ['note'])
    const { approved, note = '' } = members
    if (errors.length === 0 && typeof approved !== 'boolean')
      errors.push(errorAt(['approved'], wrongType.boolean, approved))
    if (note !== null && typeof note !== 'string') errors.push(errorAt(['note'], wrongType.string, note))
    if (errors.length > 0) return { errors }
    return { outputs: { [approved === true ? 'approved' : 'rejected']: value, note: note ?? '' } }
  },
})
