// In charge of `gate.edit`: a person edits a value before the graph continues with it.
import Type from 'typebox'
import { AnyValue, defineNode, gives, needs } from './define.ts'
import { readAnswer, wrong } from './gate-answer.ts'

export const gateEdit = defineNode({
  type: 'gate.edit',
  title: 'Edit',
  summary: 'Waits until someone has looked over a text or a table, and changed what needs changing.',
  group: 'gate',
  help: `
The run waits here with the value in an editor. What is saved goes on: a text stays a text, a list stays a list.`,
  params: {
    title: Type.String({
      title: 'Instruction',
      description: 'What the person is asked to do.',
      default: 'Change what needs changing',
      maxLength: 300,
      examples: ['Shorten the headlines to 30 characters'],
    }),
  },
  inputs: { value: needs({ title: 'Value', description: 'The text or data to look over.', schema: AnyValue }) },
  outputs: { value: gives('Value', 'What was saved.', AnyValue) },
  request: Type.Object({ kind: Type.Literal('edit'), title: Type.String(), value: AnyValue }),
  ask: ({ params: { title }, inputs: { value } }) => ({ kind: 'edit' as const, title, value }),
  accept: (request, answer) => {
    const { members, errors } = readAnswer(answer, ['value'])
    if (errors.length > 0) return { errors }
    const [before, after] = [jsonType(request.value), jsonType(members.value)]
    if (before === after) return { outputs: { value: members.value } }
    return { errors: [wrong(['value'], `this was ${before} and must stay one, not become ${after}`, members.value)] }
  },
})

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return 'a number'
  return typeof value === 'boolean' ? 'a yes or no' : 'an object'
}
