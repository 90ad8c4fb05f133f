// In charge of `list.pick`: selects some elements of a list.
import Type from 'typebox'
import { AnyValue, defineNode, gives } from './define.ts'
import { NodeFailure } from './node-type.ts'
import { seeded } from './seeded.ts'

type How = 'first' | 'last' | 'at' | 'random'

export const listPick = defineNode({
  type: 'list.pick',
  title: 'Pick',
  summary: 'Takes some elements of a list: the first, the last, certain ones, or a draw.',
  group: 'data',
  help: `
**Random** draws the same elements each time, until the node is re-rolled. **At** counts from 1; -1 is the last element.

To let a person pick, use **Choose**.`,
  params: {
    how: Type.Unsafe<How>({
      type: 'string',
      enum: ['first', 'last', 'at', 'random'],
      title: 'Which',
      description: 'Which elements to take.',
      default: 'first',
    }),
    count: Type.Integer({
      title: 'How many',
      description: 'For first, last and random.',
      default: 1,
      minimum: 1,
      maximum: 10_000,
    }),
    positions: Type.Array(Type.Integer({ minimum: -10_000, maximum: 10_000 }), {
      title: 'Positions',
      description: 'For “at”: 1 is the first.',
      default: [1],
      maxItems: 1000,
      examples: [[1, 3, -1]],
    }),
  },
  inputs: {
    list: {
      title: 'List',
      description: 'The list to take from.',
      schema: Type.Array(AnyValue),
      required: true,
      many: false,
      accepts_holes: true,
    },
  },
  outputs: {
    picked: gives('Picked', 'The elements that were taken.', Type.Array(AnyValue)),
    first: gives('First', 'The first of them; no value where there is none.', AnyValue),
  },
  pure: true,
  seeded: true,
  run: async ({ params: { how, count, positions }, inputs: { list }, seed }) => {
    const picked = pick(list, how, count, positions, seed)
    return { outputs: picked.length === 0 ? { picked } : { picked, first: picked[0] } }
  },
})

function pick(list: unknown[], how: How, count: number, positions: number[], seed: string): unknown[] {
  switch (how) {
    case 'first':
      return list.slice(0, count)
    case 'last':
      return list.slice(-count)
    case 'at':
      return positions.map((position) => {
        const at = position < 0 ? list.length + position : position - 1
        if (at < 0 || at >= list.length)
          throw new NodeFailure(`There is no element ${position}: the list has ${list.length}.`)
        return list[at]
      })
    case 'random': {
      const chance = seeded(seed)
      const drawn = list.map((value, at) => ({ value, at, lot: chance.next() })).toSorted((a, b) => a.lot - b.lot)
      return drawn
        .slice(0, count)
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value)
    }
  }
}
