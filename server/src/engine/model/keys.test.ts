// Facts about which differences between two calls lead to different keys, and which do not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { cacheKey, type KeyParts, keyOf, recipeKey } from './keys.ts'
import { withoutFileNames } from './units.ts'

const file = { digest: 'a'.repeat(64), media_type: 'image/png', size: 3, name: 'one.png' }
const type: KeyParts['type'] = { type: 'copy', version: 1, implementation: '1', provider: () => 'p/m' }
const parts: KeyParts = { type, params: { tone: 'warm' }, inputs: { prompt: 'x', file }, occurrence: 0, roll: '' }
const table = Array.from({ length: 3000 }, (_, row) => ({
  ...{ nr: row, ünï: `€ ${row} 🦊`, file, more: [null, true, 1.5e-7] },
}))

const keys = [
  { name: 'a cached call', keyFrom: cacheKey },
  { name: 'a recipe', keyFrom: async (given: KeyParts) => recipeKey(given) },
]

describe.each(keys)('the key of $name', ({ keyFrom }) => {
  test.each<[string, Partial<KeyParts>]>([
    ['another type', { type: { ...type, type: 'picture' } }],
    ['another version', { type: { ...type, version: 2 } }],
    ['another implementation', { type: { ...type, implementation: '2' } }],
    ['another model', { type: { ...type, provider: () => 'p/n' } }],
    ['another param', { params: { tone: 'cold' } }],
    ['another input', { inputs: { prompt: 'y', file } }],
    ['another file', { inputs: { prompt: 'x', file: { ...file, digest: 'b'.repeat(64) } } }],
    ['a large input', { inputs: { prompt: 'x', file, table } }],
    ['another place among equal items', { occurrence: 1 }],
    ['another roll', { roll: 'again' }],
  ])('is another with %s', async (_, change) => {
    expect(await keyFrom({ ...parts, ...change })).not.toBe(await keyFrom(parts))
  })

  test('is another where one cell of a large table is another', async () => {
    const other = table.map((row, at) => (at === 1500 ? { ...row, nr: -1 } : row))
    expect(await keyFrom({ ...parts, inputs: { table: other } })).not.toBe(
      await keyFrom({ ...parts, inputs: { table } }),
    )
  })

  test('is the same whatever its file is called, and in whatever order its members stand', async () => {
    const renamed = { ...parts, inputs: { file: { ...file, name: 'two.png' }, prompt: 'x' } }
    expect(await keyFrom(renamed)).toBe(await keyFrom(parts))
    const turned = table.map((row) => Object.fromEntries(Object.entries(row).toReversed()))
    const inputs = { table: turned.map((row) => ({ ...row, file: { ...file, name: null } })) }
    expect(await keyFrom({ ...parts, inputs })).toBe(await keyFrom({ ...parts, inputs: { table } }))
  })
})

test('what was paid for is found under the keys it was kept under at first', async () => {
  expect(await cacheKey(parts)).toBe('d37532d5d1f461c5ec28ca6bc9cd1ebf9284e131387aa12f49b6f70013a4aea9')
  expect(await cacheKey({ type, params: {}, inputs: { z: 'ä', table, 'a"b': [] }, occurrence: 3, roll: 'r' })).toBe(
    '1b9140edba0de49c402f82aae3cac044399958c5a93540c19fcd602e626e95ac',
  )
})

test('a key is the hash of the canonical text, however large its parts are', async () => {
  const large = fc.tuple(fc.jsonValue(), fc.constantFrom(1, 3, 8000)).map(([value, times]) => Array(times).fill(value))
  const inputs = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.jsonValue(), large, fc.constant(file)))
  await fc.assert(
    fc.asyncProperty(inputs, async (inputs) => {
      const text = canonicalJson({
        ...{ v: 1, type: 'copy', version: 1, implementation: '1', provider: 'p/m', occurrence: 0, roll: '' },
        ...{ params: withoutFileNames(parts.params), inputs: withoutFileNames(inputs) },
      })
      expect(await cacheKey({ ...parts, inputs })).toBe(sha256Hex(text))
    }),
    { numRuns: 25 },
  )
})

test('a recipe whose parts are shared costs as much as there are parts', () => {
  let value: unknown = ['x']
  for (let level = 0; level < 60; level++) value = [value, value]
  expect(recipeKey({ ...parts, inputs: { value } })).not.toBe(recipeKey({ ...parts, inputs: { value: [value] } }))
})

test('where nothing is done with a key, none is made: the inputs are not looked at', async () => {
  const looked: string[] = []
  const inputs = {
    get table() {
      looked.push('table')
      return table
    },
  }
  const plain = { ...type, cacheable: false, pure: false, seeded: false }
  const unit = { node: 'n', item: '' }
  const workOf = (given: object) => Object({ node: { id: 'n', type: given }, unit, params: {}, inputs, occurrence: 0 })
  expect(await keyOf(workOf(plain), new Map())).toBe('')
  expect(looked).toEqual([])
  for (const one of ['cacheable', 'pure', 'seeded']) {
    expect(await keyOf(workOf({ ...plain, [one]: true }), new Map())).toMatch(/^[0-9a-f]{64}$/)
    expect(looked.splice(0)).not.toEqual([])
  }
})
