// Facts about the outputs of a graph whose files an automation can put on a card.
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { fileOutputs, keyOf, likelyKeys, outputOf, outputWords } from './file-outputs.ts'

const file = { type: 'object', 'x-atelier': 'file' }
const type = (name: string, outputs: Record<string, object>): NodeType => ({
  type: name,
  version: 1,
  title: name,
  summary: '',
  help: '',
  group: 'other',
  params: {},
  inputs: {},
  outputs: Object.fromEntries(
    Object.entries(outputs).map(([port, schema]) => [port, { title: port, description: '', schema: { ...schema } }]),
  ),
  open_inputs: true,
  credits: { least: 0, most: 0, note: '' },
  cacheable: true,
  retry_safe: true,
  pure: false,
  gate: false,
  available: true,
  unavailable_reason: null,
  replaced_by: null,
  earlier: [],
})
const types = new Map(
  [
    type('text', { text: { type: 'string' } }),
    type('draw', { images: { type: 'array', items: file } }),
    type('gate', { chosen: { type: 'array', items: {} } }),
  ].map((one) => [one.type, one]),
)
const node = (type: string) => ({ type, version: 1, params: {}, inputs: {}, each: [] })
const definition = {
  nodes: { brief: node('text'), picture: node('draw'), pick: node('gate'), ads: node('draw') },
  edges: ['brief picture', 'picture pick', 'pick ads'].map((edge) => {
    const [from = '', to = ''] = edge.split(' ')
    return { from: { node: from, port: 'x' }, to: { node: to, port: 'x' } }
  }),
}

test('texts are not offered, the last nodes come first, a gate may hand files on', () => {
  expect(fileOutputs(definition, types).map(({ label, isSure }) => [label, isSure])).toEqual([
    ['ads · images', true],
    ['pick · chosen', false],
    ['picture · images', true],
  ])
})

test('the files nothing leads on from are the likely ones', () => {
  expect(likelyKeys(fileOutputs(definition, types))).toEqual([keyOf({ node_id: 'ads', port: 'images' })])
})

test('a chosen output is saved as it was', () => {
  expect(outputOf(keyOf({ node_id: 'ads', port: 'images', item: 2 }))).toEqual({
    node_id: 'ads',
    port: 'images',
    item: 2,
  })
})

test('the variant that an output is for is kept and said, and so is that it is for none', () => {
  const ads = { node_id: 'ads', port: 'images', item: 0 }
  const outputs = [ads, { ...ads, variation_num: null }, { ...ads, variation_num: 1 }, { ...ads, variation_num: 2 }]
  const keys = outputs.map(keyOf)
  expect(new Set(keys).size).toBe(outputs.length)
  expect(keys.map(outputOf)).toEqual(outputs)
  expect(outputs.map((output) => outputWords(output, fileOutputs(definition, types)))).toEqual([
    'ads · images, number 1',
    'ads · images, number 1 for no variant',
    'ads · images, number 1 for variant 1',
    'ads · images, number 1 for variant 2',
  ])
})

test('an output the graph has lost is still said', () => {
  expect(outputWords({ node_id: 'gone', port: 'images', item: 0 }, [])).toBe('gone · images, number 1')
})
