// In charge of `input.choice`: one of a few options; the choice is stored in the graph.
import Type from 'typebox'
import { defineNode, gives } from './define.ts'
import { NodeFailure } from './node-type.ts'

export const inputChoice = defineNode({
  type: 'input.choice',
  title: 'Choice',
  summary: 'One of a few options, such as a tone of voice or a market.',
  group: 'input',
  help: `
List the options that make sense, and pick one. Whoever runs the graph later changes the pick and cannot mistype it.`,
  params: {
    options: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      title: 'Options',
      description: 'What may be picked.',
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      default: ['Playful', 'Plain', 'Premium'],
      examples: [['Playful', 'Plain', 'Premium']],
    }),
    value: Type.String({
      title: 'Picked',
      description: 'One of the options; left empty, the first of them.',
      default: '',
      maxLength: 500,
      examples: ['Plain'],
    }),
  },
  inputs: {},
  outputs: { choice: gives('Choice', 'The option that is picked.', Type.String()) },
  pure: true,
  run: async ({ params: { options, value } }) => {
    const choice = value === '' ? options[0] : value
    if (choice === undefined || !options.includes(choice)) {
      throw new NodeFailure(`“${value}” is not among the options: ${options.join(', ')}. Pick one of them.`)
    }
    return { outputs: { choice } }
  },
})
