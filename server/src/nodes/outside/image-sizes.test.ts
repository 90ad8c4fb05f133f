// Facts about the sizes of image models.
import { expect, test } from 'vitest'
import { imageSizePattern, sizeFault } from './image-sizes.ts'

test.for([
  ['gpt-image-2.5-flare', 'auto'],
  ['gpt-image-2.5-flare', '1024x1024'],
  // The next two sizes have the ratios 9:16 and 4:5, which ads usually need.
  ['gpt-image-2.5-sunburst', '1008x1792'],
  ['gpt-image-2', '1024x1280'],
  ['gpt-image-2', '3840x2160'],
  ['gpt-image-2', '2160x3840'],
  ['gpt-image-2', '640x1024'],
  ['gpt-image-2', '1536x512'],
  ['gpt-image-1.5', '1536x1024'],
  // The sizes of other models are not known, so that every size passes; the provider checks it.
  ['stable-diffusion', '512x512'],
  ['painter', '1000x30'],
] as const)('%s takes %s', ([model, size]) => {
  expect(sizeFault(model, size)).toBeNull()
})

test.for([
  ['gpt-image-2.5-flare', '1080x1350', /multiples of 16, such as 1088x1344/],
  ['gpt-image-2.5-flare', '7x16', /multiples of 16, such as 16x16/],
  ['gpt-image-2', '512x512', /at least 655,360 pixels/],
  ['gpt-image-2', '2880x2896', /at most 8,294,400 pixels/],
  ['gpt-image-2', '3856x2144', /3840 pixels at most/],
  ['gpt-image-2', '3200x1024', /3 times the shorter/],
  ['gpt-image-1.5', '1792x1024', /Take 1024x1024, 1024x1536, 1536x1024 or auto/],
  ['chatgpt-image-latest', '512x512', /Take 1024x1024/],
] as const)('%s does not take %s', ([model, size, words]) => {
  expect(sizeFault(model, size)).toMatch(words)
  expect(sizeFault(model, size)).toContain(`The model ${model} does not take the size ${size}.`)
})

test('a size is auto or two numbers; all that could be chosen in version 0.1.0 still can', () => {
  const isSize = (text: string): boolean => new RegExp(imageSizePattern).test(text)
  const before = ['1024x1024', '1024x1536', '1536x1024', '1792x1024', '1024x1792', '512x512', 'auto']
  expect(before.filter((size) => !isSize(size))).toEqual([])
  expect(['', 'big', '1024', '1024 x 1024', '0x16', 'x', '1e3x16', '1024x1024x3'].filter(isSize)).toEqual([])
})
