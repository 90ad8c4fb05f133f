// Facts about the cost of model calls: if the price is fixed, the cost planned before a call equals the cost after it.
import type { CatalogueModel, ModelPrice } from '@atelier/contract/graph/model-catalogue.ts'
import { describe, expect, test } from 'vitest'
import { settingsFor } from '../../../test/support/models.ts'
import { callNode, filesInMemory } from '../../../test/support/nodes.ts'
import { png, startProvider } from '../../../test/support/providers.ts'
import { readConfig } from '../../platform/config.ts'
import { imageEdit } from '../image-edit.ts'
import { createPictureWorkers } from '../images/workers.ts'
import { guardedAgent, trustedAgent } from './guard.ts'
import { costOf, pixelsOf, priceRange, type Units } from './prices.ts'
import { createModels } from './providers.ts'

const { list: catalogue } = readConfig({}).models
const source = { url: 'https://prices.example', read: '2026-11-23' }
const priceOf = (per: ModelPrice['per'], more: Partial<ModelPrice> = {}): ModelPrice => ({
  ...{ currency: 'USD', per, amount: 40_000, source },
  ...more,
})
const asked: Units[] = [
  { pixels: pixelsOf('1024x1536') },
  { pixels: pixelsOf('333x777') },
  { seconds: 7 },
  { pixels: null, seconds: null },
]

describe('a fixed price', () => {
  const isFixed = (price: ModelPrice | null): price is ModelPrice => price?.per === 'image' && !price.from
  const listed = catalogue.flatMap(({ id, price }): [string, ModelPrice][] => (isFixed(price) ? [[id, price]] : []))
  test.each([...listed, ['a second', priceOf('second')] as const, ['a megapixel', priceOf('megapixel')] as const])(
    '%s: what is planned is what is charged',
    (_, price) => {
      const known = asked.filter((units) => priceRange(price, units).most !== null)
      expect(known).not.toEqual([])
      for (const units of known) {
        const { least, most } = priceRange(price, units)
        expect(costOf(price, units, null, 'USD')).toEqual({ amount: most, by: 'price' })
        expect([least, Number.isSafeInteger(least)]).toEqual([most, true])
      }
    },
  )

  test('of each model that has one, through its node: plan, ledger and what the provider says are one amount', async () => {
    const here = await startProvider('bfl')
    const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }
    const settings = settingsFor(`${here.url}/v1`, { provider: 'bfl', catalogue, isOwnList: true })
    const type = imageEdit(createModels(settings, agents), createPictureWorkers({ most: 1 }))
    const files = filesInMemory()
    const image = await files.write(png, 'image/png', 'flask.png')
    for (const [model] of listed) {
      const params = { model, prompt: 'warmer' }
      const planned = type.cost(params, { image })
      const { cost } = await callNode(type, { files, inputs: { image }, params })
      expect(planned).toMatchObject({ model, isKnown: true, least: planned?.most })
      // The fake provider states the price of four of its credits, whatever the model.
      expect(cost).toEqual({ amount: 40_000, by: 'provider' })
    }
    expect(listed.map(([model]) => model)).toContain('bfl:flux-kontext-pro')
  })
})

test('a price that is only the least has no most, and charges at least that', () => {
  const price = priceOf('megapixel', { from: true })
  expect(priceRange(price, { pixels: 4_000_000 })).toEqual({ least: 40_000, most: null })
  expect(costOf(price, { pixels: 4_000_000 }, null, 'USD')).toEqual({ amount: 40_000, by: 'least' })
})

test('tokens have a range: nothing is known below, and above no more than was sent and allowed', () => {
  const price = priceOf('million_tokens', { amount: 10_000_000, amount_in: 2_000_000 })
  expect(priceRange(price, { tokensSent: 1000, tokensMade: 500 })).toEqual({ least: 0, most: 7000 })
  expect(priceRange(price, { tokensSent: 1000 })).toEqual({ least: 0, most: null })
  const usage = { tokens: { sent: 401, made: 33 }, cost: null }
  expect(costOf(price, {}, usage, 'USD')).toEqual({ amount: 1132, by: 'usage' })
  expect(costOf(price, {}, null, 'USD')).toBeNull()
})

test('what the provider says comes before the price; in another currency it says nothing', () => {
  const usage = { tokens: null, cost: { currency: 'USD', amount: 55_000 } }
  expect(costOf(priceOf('image'), {}, usage, 'USD')).toEqual({ amount: 55_000, by: 'provider' })
  expect(costOf(priceOf('image'), {}, usage, 'EUR')).toEqual({ amount: 40_000, by: 'price' })
})

test.for([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e16])(
  'an amount of %d that a provider says cannot be booked, and the price holds',
  (amount) => {
    const usage = { tokens: null, cost: { currency: 'USD', amount } }
    expect(costOf(priceOf('image'), {}, usage, 'USD')).toEqual({ amount: 40_000, by: 'price' })
    expect(costOf(null, {}, usage, 'USD')).toBeNull()
  },
)

test('counts that come to more than can be booked cost what nobody knows', () => {
  const price = priceOf('million_tokens', { amount: Number.MAX_SAFE_INTEGER, amount_in: 0 })
  expect(costOf(price, {}, { tokens: { sent: 0, made: 1_000_000 }, cost: null }, 'USD')).toBeNull()
})

test('a model without a price costs what nobody knows', () => {
  const model: CatalogueModel = { id: 'fal:new', kinds: ['image'], price: null }
  const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }
  const models = createModels(settingsFor(null, { catalogue: [model] }), agents)
  expect(models.cost('image', 'fal:new', {})).toEqual({
    ...{ model: 'fal:new', currency: 'USD', least: 0, most: null, isKnown: false },
  })
  expect(models.costOf('image', 'fal:new', {}, null)).toBeNull()
})
