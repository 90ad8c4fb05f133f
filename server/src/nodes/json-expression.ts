// In charge of `json.expression`: selects parts of data, or builds new data from them.
import Type from 'typebox'
import { AnyValue, defineNode, gives, takes } from './define.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export const jsonExpression = (sandbox: Sandbox) =>
  defineNode({
    type: 'json.expression',
    implementation: '2',
    title: 'Expression',
    summary: 'Picks something out of data, or puts data together anew.',
    group: 'data',
    help: `
The language is JSONata. \`value\` is what is led to the first input; values led to inputs of other names stand beside it.

- A column of a table: \`value.headline\`
- Rows that match: \`value[price < 20]\`
- A new form: \`value.{"name": product, "text": headline & " – " & price}\`
- A sum: \`$sum(value.price)\`

It ends after 5 seconds. Clock and chance are not there: the same data must give the same. So a picture for \`$toMillis\` names the
year, such as \`[D].[M].[Y]\`.`,
    params: {
      expression: Type.String({
        title: 'Expression',
        description: 'In JSONata.',
        default: 'value',
        maxLength: 10_000,
        examples: ['value.headline', 'value[price < 20]'],
        'x-atelier': 'code',
      }),
    },
    inputs: { value: takes({ title: 'Value', description: 'The data to work on.', schema: AnyValue }) },
    openInputs: true,
    outputs: { value: gives('Value', 'What the expression gives; no value where it gives nothing.', AnyValue) },
    run: async ({ params, inputs, signal }) => {
      const value = await sandbox.evaluate(params.expression, inputs, signal)
      return { outputs: value === undefined ? {} : { value } }
    },
  })
