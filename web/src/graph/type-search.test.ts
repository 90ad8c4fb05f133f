// Facts about searching node types.
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { foundTypes } from './type-search.ts'

const typeOf = (type: string, title: string, group: NodeType['group'], summary: string): NodeType => ({
  type,
  version: 1,
  title,
  summary,
  help: '',
  group,
  params: {},
  inputs: {},
  outputs: {},
  open_inputs: false,
  credits: { least: 0, most: 0, note: '' },
  cacheable: true,
  pure: true,
  retry_safe: true,
  gate: false,
  available: true,
  unavailable_reason: null,
  replaced_by: null,
  earlier: [],
})
const types = [
  typeOf('input.file', 'File', 'input', 'A picture, a film or a table.'),
  typeOf('input.text', 'Text', 'input', 'A text of your own.'),
  typeOf('sample.image', 'Sample picture', 'generate', 'Draws one.'),
  typeOf('text.template', 'Text template', 'text', 'Puts a text together.'),
  typeOf('image.resize', 'Resize', 'image', 'Makes a picture smaller.'),
]
const titles = (search: string) => foundTypes(types, search).map(({ title }) => title)

test('what is called so comes before what only speaks of it', () => {
  expect(titles('picture')).toEqual(['Sample picture', 'Resize', 'File'])
  expect(titles('pict')[0]).toBe('Sample picture')
})

test('the very title comes first, then what begins with it', () => {
  expect(titles('text').slice(0, 2)).toEqual(['Text', 'Text template'])
  expect(titles('template text')).toEqual(['Text template'])
})

test('a type is found by its technical name, and by its group', () => {
  expect(titles('image.resize')).toEqual(['Resize'])
  expect(titles('nothing like it')).toEqual([])
})

test('without a word all are offered, by group, but for those that were replaced', () => {
  expect(titles(' ')).toHaveLength(5)
  const [file, ...others] = types
  if (!file) throw new Error('There are types.')
  const old = { ...file, replaced_by: { type: 'x', version: 1 } }
  expect(foundTypes([old, ...others], '')).toHaveLength(4)
})
