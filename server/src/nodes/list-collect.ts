// In charge of `list.collect`: collects many values into one list.
import Type from 'typebox'
import { AnyValue, defineNode, gives } from './define.ts'
import { NodeFailure } from './node-type.ts'

const most = 10_000

export const listCollect = defineNode({
  type: 'list.collect',
  title: 'Collect',
  summary: 'Brings many values together in one list.',
  group: 'data',
  help: `
Lead as many values to it as you like: they stand in the list in the order of the connections. Lists that arrive are
joined, unless you turn that off. Items that failed further up are left out, and the others go on.`,
  params: {
    join_lists: Type.Boolean({
      title: 'Join lists',
      description: 'Whether the elements of a list that arrives stand in the list one by one.',
      default: true,
    }),
  },
  inputs: {
    values: {
      title: 'Values',
      description: 'What to collect; several connections may lead here.',
      schema: AnyValue,
      required: true,
      many: true,
      accepts_holes: true,
    },
  },
  outputs: {
    list: gives('List', 'Everything that arrived.', Type.Array(AnyValue)),
    count: gives('Count', 'How many elements the list has.', Type.Integer()),
  },
  pure: true,
  run: async ({ params, inputs: { values } }) => {
    const list = params.join_lists ? values.flat(1) : values
    if (list.length > most) throw new NodeFailure(`These are ${list.length} elements; a list has ${most} at most.`)
    return { outputs: { list, count: list.length } }
  },
})
