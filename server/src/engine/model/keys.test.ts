// Facts about what makes a call another one, and what does not.
import { describe, expect, test } from 'vitest'
import { cacheKey, type KeyParts } from './keys.ts'

const file = { digest: 'a'.repeat(64), media_type: 'image/png', size: 3, name: 'one.png' }
const type: KeyParts['type'] = { type: 'copy', version: 1, implementation: '1', provider: () => 'p/m' }
const parts: KeyParts = { type, params: { tone: 'warm' }, inputs: { prompt: 'x', file }, occurrence: 0, roll: '' }

describe('a call is another with', () => {
  test.each<[string, Partial<KeyParts>]>([
    ['another type', { type: { ...type, type: 'picture' } }],
    ['another version', { type: { ...type, version: 2 } }],
    ['another implementation', { type: { ...type, implementation: '2' } }],
    ['another model', { type: { ...type, provider: () => 'p/n' } }],
    ['another param', { params: { tone: 'cold' } }],
    ['another input', { inputs: { prompt: 'y', file } }],
    ['another file', { inputs: { prompt: 'x', file: { ...file, digest: 'b'.repeat(64) } } }],
    ['another place among equal items', { occurrence: 1 }],
    ['another roll', { roll: 'again' }],
  ])('%s', (_, change) => {
    expect(cacheKey({ ...parts, ...change })).not.toBe(cacheKey(parts))
  })
})

test('a call is the same whatever its file is called, and in whatever order its members stand', () => {
  expect(cacheKey({ ...parts, inputs: { file: { ...file, name: 'two.png' }, prompt: 'x' } })).toBe(cacheKey(parts))
})
