// In charge of `input.text`: a text that is stored in the graph.
import Type from 'typebox'
import { defineNode, gives } from './define.ts'

export const inputText = defineNode({
  type: 'input.text',
  title: 'Text',
  summary: 'A text you write here, such as a brief or a product name.',
  group: 'input',
  help: `
Write the text once and lead it to as many nodes as need it. A change here runs again only what depends on it.

For text that is put together from other values, use **Text template**.`,
  params: {
    value: Type.String({
      title: 'Text',
      description: 'What the node gives.',
      default: '',
      maxLength: 20_000,
      examples: ['A steel bottle that keeps drinks cold for 24 hours.'],
      'x-atelier': 'multiline',
    }),
  },
  inputs: {},
  outputs: { text: gives('Text', 'The text as it is written.', Type.String()) },
  pure: true,
  run: async ({ params }) => ({ outputs: { text: params.value } }),
})
