// In charge of `variants.product`: every combination of locales, hooks, sizes and other lists.
import Type from 'typebox'
import { AnyValue, defineNode, gives, Rows, takes } from './define.ts'
import { NodeFailure } from './node-type.ts'

const values = (title: string, description: string) => takes({ title, description, schema: Type.Array(AnyValue) })

export const variantsProduct = defineNode({
  type: 'variants.product',
  title: 'Combine',
  summary: 'Makes a row for every combination: locale × hook × size, or any other lists.',
  group: 'data',
  help: `
Lead lists to it: 3 locales and 4 hooks give 12 rows, each with one of both, as \`{{ row.locale }}\` and \`{{ row.hook }}\`.
Lists of other names work alike. The last list varies fastest.

Mind what the combinations cost further down: **At most** stops a slip of the hand before anything is paid.`,
  params: {
    limit: Type.Integer({
      title: 'At most',
      description: 'More combinations than this stop the node.',
      default: 200,
      minimum: 1,
      maximum: 5000,
    }),
  },
  inputs: {
    locale: values('Locales', 'Such as de, fr, pt-BR.'),
    hook: values('Hooks', 'Opening lines, or anything else.'),
    size: values('Sizes', 'Such as 1080x1350.'),
  },
  openInputs: true,
  outputs: {
    rows: gives('Rows', 'A row for each combination, a value by the name of each list.', Rows),
    count: gives('Count', 'How many combinations there are.', Type.Integer()),
  },
  pure: true,
  run: async ({ params: { limit }, inputs }) => {
    // The three declared inputs come first, then all others in alphabetical order, so that the order of the rows does not depend on
    // the order of the edges.
    const names = ['locale', 'hook', 'size', ...Object.keys(inputs).toSorted()]
    const axes = [...new Set(names)]
      .filter((name) => inputs[name] !== undefined)
      .map((name) => ({ name, list: asList(inputs[name], name) }))
    if (axes.length === 0) throw new NodeFailure('Lead at least one list to it.')
    const count = axes.reduce((product, { list }) => product * list.length, 1)
    if (count > limit) {
      const sum = axes.map(({ name, list }) => `${list.length} ${name}`).join(' × ')
      throw new NodeFailure(`${sum} are ${count} combinations; “At most” is ${limit}.`)
    }
    const rows = axes.reduce<Record<string, unknown>[]>(
      (made, { name, list }) => made.flatMap((row) => list.map((value) => ({ ...row, [name]: value }))),
      [{}],
    )
    return { outputs: { rows, count }, message: `${count} combinations` }
  },
})

function asList(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new NodeFailure(`“${name}” is not a list.`)
}
