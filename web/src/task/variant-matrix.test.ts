// Facts about the variants that are made from a matrix of chosen values.
import { expect, test } from 'vitest'
import { nextVariant } from './variant-list.ts'
import { combinationsOf, mostVariants, withMatrix } from './variant-matrix.ts'

const empty = { messaging_angle: [], hook_type: [], ad_format: [] }
const many = Array.from({ length: mostVariants }, (_, at) => `angle ${at}`)

test('each combination becomes a variant with a number and a key of its own', () => {
  const matrix = { ...empty, messaging_angle: ['a', 'b'], hook_type: ['x', 'y', 'z'] }
  const made = withMatrix([], matrix) ?? []
  expect(combinationsOf(matrix)).toBe(6)
  expect(made.map(({ messaging_angle, hook_type }) => `${messaging_angle} ${hook_type}`)).toEqual([
    ...['a x', 'a y', 'a z', 'b x', 'b y', 'b z'],
  ])
  expect(made.map(({ key, variation_num }) => [key, variation_num]).at(-1)).toEqual(['v6', 6])
  expect(made.every(({ ad_format }) => ad_format === null)).toBe(true)
})

test('what a task has stays, and is not made again', () => {
  const own = { ...nextVariant([]), messaging_angle: 'a', notes: 'kept' }
  const made = withMatrix([own], { ...empty, messaging_angle: ['a', 'b'] })
  expect(made).toHaveLength(2)
  expect(made?.[0]).toEqual(own)
  expect(withMatrix([own], empty)).toEqual([own])
})

test('no more are made than a task takes, however large the sides', () => {
  expect(withMatrix([], { ...empty, messaging_angle: many })).toHaveLength(mostVariants)
  expect(withMatrix([nextVariant([])], { ...empty, messaging_angle: many })).toBeNull()
  expect(withMatrix([], { messaging_angle: many, hook_type: many, ad_format: many })).toBeNull()
})
