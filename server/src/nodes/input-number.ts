// In charge of `input.number`: a number that is stored in the graph.
import Type from 'typebox'
import { defineNode, gives } from './define.ts'

export const inputNumber = defineNode({
  type: 'input.number',
  title: 'Number',
  summary: 'A number you set here, such as a price or how many variants to make.',
  group: 'input',
  help: 'Set the number once and lead it to the nodes that need it.',
  params: {
    value: Type.Number({ title: 'Number', description: 'What the node gives.', default: 0, examples: [29.9] }),
  },
  inputs: {},
  outputs: { number: gives('Number', 'The number as it is set.', Type.Number()) },
  pure: true,
  run: async ({ params }) => ({ outputs: { number: params.value } }),
})
