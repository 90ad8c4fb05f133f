// In charge of `text.template`: builds a text from other values.
import Type from 'typebox'
import { defineNode, gives } from './define.ts'
import { fillIn, templateSchema } from './liquid.ts'

export const textTemplate = defineNode({
  type: 'text.template',
  title: 'Text template',
  summary: 'Puts a text together from the values led to it.',
  group: 'text',
  help: `
Write the text with a placeholder wherever a value belongs: \`Meet {{ product }}, now {{ price }}.\`
Each placeholder is an input of the node: lead a value to an input of that name.

- A member of a row: \`{{ row.headline }}\`
- A value that may be missing: \`{{ offer | default: "today only" }}\`
- A choice: \`{% if price < 20 %}Under 20!{% endif %}\`
- A list: \`{% for line in lines %}- {{ line }}{% endfor %}\`

This is the Liquid language. A placeholder without a value stops the node and says which one it is.`,
  params: {
    template: templateSchema('Template', 'The text, with {{ names }} where values belong.', '', [
      'Meet {{ product }}, now {{ price }}.',
    ]),
  },
  inputs: {},
  openInputs: true,
  outputs: { text: gives('Text', 'The text with every placeholder filled in.', Type.String()) },
  pure: true,
  run: async ({ params, inputs }) => ({ outputs: { text: fillIn(params.template, inputs) } }),
})
