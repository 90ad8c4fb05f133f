// Facts about the display names of items.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { nameOfItem } from './item-names.ts'

const definition = readDefinition({
  schema: 1,
  nodes: {
    rows: { type: 'csv.parse', version: 1 },
    copy: { type: 'llm.chat', version: 1, each: ['row'] },
    picture: { type: 'sample.image', version: 1, each: ['prompt'] },
    ask: { type: 'gate.approve', version: 1, each: ['value'] },
    alone: { type: 'gate.approve', version: 1, each: ['value'] },
  },
  edges: [
    { from: { node: 'rows', port: 'rows' }, to: { node: 'copy', port: 'row' } },
    { from: { node: 'copy', port: 'text' }, to: { node: 'picture', port: 'prompt' } },
    { from: { node: 'picture', port: 'image' }, to: { node: 'ask', port: 'value' } },
  ],
})
const file = { digest: 'a'.repeat(64), media_type: 'image/png', size: 1 }
const made = { outputs: { image: [file, file], text: ['Sleep cool', 'x'.repeat(200)] } }

test('an item is called by the row it comes from, however far above', () => {
  const states = {
    rows: { outputs: { rows: [{ market: 'Germany', idea: 'Cool' }, { n: 1 }] } },
    copy: made,
    picture: made,
  }
  expect(nameOfItem(definition, states, 'ask', 0)).toBe('Germany')
})

test('without such a row it is called by the nearest short text, or by its number', () => {
  const states = { copy: made, picture: made }
  expect(nameOfItem(definition, states, 'ask', 0)).toBe('Sleep cool')
  expect(nameOfItem(definition, states, 'ask', 1)).toBe('item 2')
  expect(nameOfItem(definition, states, 'alone', 4)).toBe('item 5')
})
