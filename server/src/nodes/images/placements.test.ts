// Facts about the sizes in which pictures are made.
import { expect, test } from 'vitest'
import { sizeOf } from './placements.ts'

test('a size is read as its pixels', () => {
  expect(sizeOf('1080x1350')).toEqual({ width: 1080, height: 1350 })
  expect(sizeOf(' 4000×3000 ')).toEqual({ width: 4000, height: 3000 })
})

test.for([
  ['300', '“300” is not a size such as 1080x1350, of 40 to 4096 pixels a side.'],
  ['4097x400', '“4097x400” is not a size such as 1080x1350, of 40 to 4096 pixels a side.'],
  ['4096x4096', '“4096x4096” has 16.8 megapixels; 12 are the most.'],
  ['4001x3000', '“4001x3000” has 12.1 megapixels; 12 are the most.'],
] as const)('%s is refused for what is wrong with it', ([size, words]) => {
  expect(() => sizeOf(size)).toThrow(words)
})
