// Facts about the node type `variants.product`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { variantsProduct } from './variants-product.ts'

const combine = (inputs: Record<string, unknown>, params: Record<string, unknown> = {}) =>
  callNode(variantsProduct, { params, inputs })

test('makes a row for every combination, the last list fastest', async () => {
  const { outputs } = await combine({ size: ['s'], hook: ['h1', 'h2'], locale: ['de', 'fr'], angle: ['a'] })
  expect(outputs.count).toBe(4)
  expect(outputs.rows).toEqual([
    { locale: 'de', hook: 'h1', size: 's', angle: 'a' },
    { locale: 'de', hook: 'h2', size: 's', angle: 'a' },
    { locale: 'fr', hook: 'h1', size: 's', angle: 'a' },
    { locale: 'fr', hook: 'h2', size: 's', angle: 'a' },
  ])
})

test('an empty list leaves no combination', async () => {
  expect((await combine({ locale: ['de'], hook: [] })).outputs).toEqual({ rows: [], count: 0 })
})

test('more combinations than are allowed are refused before they are made', async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => at)
  expect(await failureOf(combine({ locale: many, hook: many }))).toBe(
    '100000 locale × 100000 hook are 10000000000 combinations; “At most” is 200.',
  )
})

test('needs lists, at least one', async () => {
  expect(await failureOf(combine({}))).toMatch(/at least one list/)
  expect(await failureOf(combine({ angle: 'a' }))).toBe('“angle” is not a list.')
})
