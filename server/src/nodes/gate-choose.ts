// In charge of `gate.choose`: a person chooses among options.
import { errorAt, wrongType } from '@atelier/contract/wire/validation-errors.ts'
import Type, { type Static } from 'typebox'
import { AnyValue, defineNode, gives } from './define.ts'
import { readAnswer, wrong } from './gate-answer.ts'
import { NodeFailure } from './node-type.ts'

const Request = Type.Object({
  kind: Type.Literal('choose'),
  title: Type.String(),
  options: Type.Array(AnyValue),
  min: Type.Integer(),
  max: Type.Integer(),
})

export const gateChoose = defineNode({
  type: 'gate.choose',
  title: 'Choose',
  summary: 'Waits until someone picks among options.',
  group: 'gate',
  help: `
Lead a list of texts or pictures to it. The run waits here, for as long as it takes, until someone picks; only what is
picked goes on, and only for that is anything paid further down. An option nobody likes can be made anew from the same
dialog.

Set **At least** and **At most** to have several picked. With **At least** 0 it is fine to pick nothing.`,
  params: {
    title: Type.String({
      title: 'Question',
      description: 'What the person is asked.',
      default: 'Which one goes on?',
      maxLength: 300,
      examples: ['Which headline fits the brief best?'],
    }),
    min: Type.Integer({
      title: 'At least',
      description: 'How many must be picked.',
      default: 1,
      minimum: 0,
      maximum: 500,
    }),
    max: Type.Integer({
      title: 'At most',
      description: 'How many may be picked.',
      default: 1,
      minimum: 1,
      maximum: 500,
    }),
  },
  inputs: {
    options: {
      title: 'Options',
      description: 'The list to pick from.',
      schema: Type.Array(AnyValue),
      required: true,
      many: false,
      accepts_holes: true,
    },
  },
  outputs: {
    chosen: gives('Chosen', 'All that was picked, in the order of the options.', Type.Array(AnyValue)),
    first: gives('First', 'The first of what was picked; no value where nothing was.', AnyValue),
  },
  request: Request,
  ask: ({ params: { title, min, max }, inputs: { options } }) => {
    if (min > max) throw new NodeFailure(`At least ${min} and at most ${max} cannot both hold: lower the first.`)
    if (options.length < min) {
      throw new NodeFailure(`At least ${min} must be picked, and there are only ${options.length} options.`)
    }
    return { kind: 'choose' as const, title, options, min, max: Math.min(max, options.length) }
  },
  accept: (request, answer) => {
    const { members, errors } = readAnswer(answer, ['selected'])
    if (errors.length > 0) return { errors }
    const found = selectedErrors(request, members.selected)
    if (found.length > 0) return { errors: found }
    const picked = new Set(Array.isArray(members.selected) ? members.selected : [])
    const chosen = request.options.filter((_, at) => picked.has(at))
    return { outputs: chosen.length === 0 ? { chosen } : { chosen, first: chosen[0] } }
  },
})

function selectedErrors({ options, min, max }: Static<typeof Request>, selected: unknown) {
  const loc = ['selected']
  if (!Array.isArray(selected)) return [errorAt(loc, wrongType.list, selected)]
  const errors = selected.flatMap((index: unknown, at) => {
    const place = [...loc, at]
    if (typeof index !== 'number' || !Number.isInteger(index)) return [errorAt(place, wrongType.integer, index)]
    if (index < 0 || index >= options.length) return [wrong(place, `there is no option ${index}`, index)]
    return selected.indexOf(index) < at ? [wrong(place, `option ${index} is picked twice`, index)] : []
  })
  if (errors.length > 0) return errors
  const count = selected.length
  if (count >= min && count <= max) return []
  const asked = min === max ? `exactly ${min}` : `${min} to ${max}`
  return [wrong(loc, `pick ${asked}, not ${count}`, selected)]
}
