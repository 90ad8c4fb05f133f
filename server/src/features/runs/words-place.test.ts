// Facts about where a comment's words are added: at the nearest node before the file that accepts words, and for the same item.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { definitionOf } from '../../../test/support/definitions.ts'
import { nothingOutside } from '../../../test/support/node-options.ts'
import { createRegistry, defaultNodeTypes } from '../../nodes/registry.ts'
import { wordsPlace } from './words-place.ts'

const { wire } = createRegistry(defaultNodeTypes(nothingOutside))
const place = (definition: object, node: string, item: number | null) =>
  wordsPlace(readDefinition(definition), wire, node, item)

test('each item goes back to its own, through whatever runs once per item', () => {
  const nodes = {
    list: { type: 'list.collect', inputs: { values: ['a', 'b'] } },
    image: { type: 'sample.image', each: ['prompt'] },
    crop: { type: 'image.crop', each: ['image'] },
  }
  const chain = definitionOf(nodes, 'list.list > image.prompt', 'image.image > crop.image')
  expect(place(chain, 'image', 1)).toEqual({ node: 'image', item: 1 })
  expect(place(chain, 'crop', 1)).toEqual({ node: 'image', item: 1 })
  expect(place(chain, 'list', null)).toBeNull()
})

test('a list that one call gave goes back to that call, and its elements have no place of their own', () => {
  const nodes = { image: { type: 'sample.image' }, sizes: { type: 'image.resize' } }
  expect(place(definitionOf(nodes, 'image.image > sizes.image'), 'sizes', 3)).toEqual({ node: 'image', item: null })
})

test('what several items share, or were gathered from, is not rolled again because of one', () => {
  const shared = {
    image: { type: 'sample.image' },
    list: { type: 'list.collect', inputs: { values: ['a', 'b'] } },
    ad: { type: 'layout.render', each: ['headline'] },
  }
  expect(place(definitionOf(shared, 'image.image > ad.image', 'list.list > ad.headline'), 'ad', 0)).toBeNull()
  const gathered = { image: { type: 'sample.image', each: ['prompt'] }, pick: { type: 'list.pick' } }
  expect(place(definitionOf(gathered, 'image.image > pick.list'), 'pick', null)).toBeNull()
})

test('a node that is not there, or whose type is gone, has no place', () => {
  expect(place(definitionOf({ image: { type: 'sample.image' } }), 'other', null)).toBeNull()
  expect(place(definitionOf({ image: { type: 'gone.image' } }), 'image', null)).toBeNull()
})
