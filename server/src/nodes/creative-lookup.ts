// In charge of `creative.lookup`: finds creatives by their names.
import { defineNode, gives, needs, Rows, TextList } from './define.ts'
import type { NodeOptions } from './node-options.ts'
import { NodeFailure } from './node-type.ts'

const most = 500

export const creativeLookup = ({ lookUp }: Pick<NodeOptions, 'lookUp'>) =>
  defineNode({
    type: 'creative.lookup',
    title: 'Look creatives up',
    summary: 'Finds out what creatives are by their names: angle, hook, audience, locale.',
    group: 'input',
    help: `
Lead names of creatives to it, such as a column of a performance report: each found one is a row with its attributes, ready
for \`{{ row.messaging_angle }}\`. Names nobody knows leave by **Unknown**. At most ${most} at a time.

It is read anew at each start, because creatives change.`,
    params: {},
    inputs: {
      names: needs({ title: 'Names', description: 'Canonical names, exactly as they are.', schema: TextList }),
    },
    outputs: {
      rows: gives('Rows', 'A row for each creative that was found, in the order asked; `query` is the name.', Rows),
      unknown: gives('Unknown', 'The names that no live creative has.', TextList),
    },
    cacheable: false,
    run: async ({ inputs: { names } }) => {
      const asked = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '')
      if (asked.length > most)
        throw new NodeFailure(`These are ${asked.length} names; ${most} can be looked up at a time.`)
      const found = asked.length === 0 ? [] : await lookUp(asked)
      const rows = found.flatMap(({ query, creatives }) => creatives.map((creative) => ({ query, ...creative })))
      const unknown = found.filter(({ creatives }) => creatives.length === 0).map(({ query }) => query)
      return { outputs: { rows, unknown }, message: `${rows.length} found, ${unknown.length} unknown` }
    },
  })
