// Facts about the node type `creative.lookup`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { creativeLookup } from './creative-lookup.ts'

const asked: (readonly string[])[] = []
const type = creativeLookup({
  lookUp: async (names) => {
    asked.push(names)
    return names.map((query) => ({
      query,
      creatives: query.startsWith('known') ? [{ id: '1', name: query, geo: 'DE' }] : [],
    }))
  },
})
const look = (names: string[]) => callNode(type, { inputs: { names } })

test('gives a row for each that is found, and the names nobody knows', async () => {
  expect((await look(['known a', 'b', ' known a ', ''])).outputs).toEqual({
    rows: [{ query: 'known a', id: '1', name: 'known a', geo: 'DE' }],
    unknown: ['b'],
  })
  expect(asked).toEqual([['known a', 'b']])
})

test('asks nothing for no names, and refuses more than a lookup takes', async () => {
  expect((await look([])).outputs).toEqual({ rows: [], unknown: [] })
  expect(await failureOf(look(Array.from({ length: 501 }, (_, at) => `n${at}`)))).toMatch(/501 names; 500/)
  expect(asked).toHaveLength(1)
})

test('is never taken from the cache: creatives change', () => {
  expect(type.cacheable).toBe(false)
})
