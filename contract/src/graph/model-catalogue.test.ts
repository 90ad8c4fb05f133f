// Facts about the model catalogue: valid entries, whether a model is withdrawn on a given day, and the text of prices.
import { expect, test } from 'vitest'
import {
  type CatalogueModel,
  chosenModel,
  endOf,
  endWords,
  modelChoiceOf,
  parseCatalogue,
  priceWords,
} from './model-catalogue.ts'

const source = { url: 'https://prices.example/', read: '2026-11-01' }
const ending: CatalogueModel = {
  ...{ id: 'openai:old', kinds: ['image'], price: null },
  ...{ ends_on: '2026-12-01', ends_source: source, successor: 'openai:new' },
}

test.for([
  ['2026-10-01', null],
  ['2026-10-02', 'soon'],
  ['2026-11-30', 'soon'],
  ['2026-12-01', 'over'],
  ['2027-06-01', 'over'],
] as const)('a model that ends on 1 December is on %s: %s', ([today, end]) => {
  expect(endOf(ending, today)).toBe(end)
})

test('its end is said with its successor', () => {
  expect(endWords(ending, '2026-11-22')).toBe('The model openai:old ends on 2026-12-01. openai:new takes its place.')
  expect(endWords(ending, '2026-12-02')).toMatch(/ended on 2026-12-01/)
  expect(endWords({ ...ending, ends_on: '2028-01-01' }, '2026-11-22')).toBeNull()
})

test('a node’s model is found with and without openai: before it, and the operator’s where it names none', () => {
  const choice = modelChoiceOf({ type: 'string', 'x-models': { models: [ending], default: 'old' } })
  if (!choice) throw new Error('no choice')
  expect([chosenModel(choice, 'old')?.id, chosenModel(choice, 'openai:old')?.id]).toEqual(['openai:old', 'openai:old'])
  expect([chosenModel(choice, '')?.id, chosenModel(choice, undefined)?.id]).toEqual(['openai:old', 'openai:old'])
  expect(chosenModel(choice, 'mine')).toBeNull()
  expect(modelChoiceOf({ type: 'string' })).toBeNull()
})

test.for([
  [null, 'price unknown'],
  [
    { currency: 'USD', per: 'megapixel', amount: 30_000, from: true, source },
    'from USD 0.03 for a megapixel (as of 2026-11-01)',
  ],
  [
    { currency: 'USD', per: 'million_tokens', amount: 4_500_000, amount_in: 750_000, source },
    'USD 0.75 in, USD 4.5 out for a million tokens (as of 2026-11-01)',
  ],
] as const)('%j reads: %s', ([price, words]) => {
  expect(priceWords(price)).toBe(words)
})

test('a list says everything that is wrong with it at once, and where', () => {
  const price = { currency: 'USD', per: 'image', amount: 0.04, source }
  const { ends_source: _, ...unsourced } = ending
  expect(
    parseCatalogue({ models: [{ ...ending, price }, unsourced, ending, { ...ending, id: 'x', more: 1 }, ending] }),
  ).toEqual({
    errors: [
      'models[0]: price must be null, or have currency, per, a whole amount in millionths, and a source with url and read',
      'models[1]: ends_on needs ends_source: where it says so',
      'models[3]: id must be provider:model',
      'models[3]: has no member more',
      'openai:old is listed twice',
    ],
  })
  expect(parseCatalogue([ending])).toEqual({ models: [ending] })
  expect(parseCatalogue('x')).toMatchObject({ errors: [expect.any(String)] })
})
