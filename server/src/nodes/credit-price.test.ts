// Facts about the price of a credit: a call's credits follow from its cost in money where that is known, else from its node type.
import Type from 'typebox'
import { expect, test } from 'vitest'
import { withCreditPrice } from './credit-price.ts'
import { defineNode, gives } from './define.ts'
import { type CallCost, type Cost, type NodeContext, NodeFailure } from './node-type.ts'

const cent = 10_000
const known: CallCost = { model: 'painter', currency: 'USD', least: 4 * cent, most: 4 * cent, isKnown: true }

const painter = (planned: CallCost | null, paid: { credits?: number; cost?: Cost | null } | NodeFailure) =>
  withCreditPrice(
    defineNode({
      ...{ type: 'test.painter', title: 'Painter', summary: 'Paints.', help: 'For tests.', group: 'other' as const },
      ...{ params: {}, inputs: {}, outputs: { text: gives('Text', 'What it gives.', Type.String()) } },
      credits: { least: 10, most: 10, note: 'Ten.' },
      cost: () => planned,
      run: async () => {
        if (paid instanceof NodeFailure) throw paid
        return { outputs: { text: 'done' }, ...paid }
      },
    }),
    1.5 * cent,
  )
const context = { params: {}, inputs: {} } as NodeContext // the test type reads nothing else
const ran = (type: ReturnType<typeof painter>) => type.run?.(context)

test.each([
  ['of a fixed price', known, { least: 3, most: 3 }],
  ['of a range', { ...known, least: cent }, { least: 1, most: 3 }],
  ['without a most', { ...known, most: null }, { least: 3, most: null }],
  ['whose price is not known', { ...known, isKnown: false }, { least: 10, most: 10 }],
  ['that costs nobody money', null, { least: 10, most: 10 }],
])('a call %s is planned so', (_, planned, credits) => {
  expect(painter(planned, {}).estimate({}, null)).toEqual(credits)
})

test.each([
  ['what was paid', known, { cost: { amount: 6 * cent, by: 'provider' as const } }, 4],
  ['the fixed price where nothing is said', known, {}, 3],
  ['what the type says where nobody knows', known, { credits: 10, cost: null }, 10],
  ['nothing where nothing was charged', known, { credits: 0, cost: { amount: cent, by: 'price' as const } }, 0],
])('a call costs %s', async (_, planned, paid, credits) => {
  expect(await ran(painter(planned, paid))).toMatchObject({ credits })
})

test('so does one that was paid and gave nothing of use; one that was not paid stays what it was', async () => {
  const paid = new NodeFailure('Not a picture.', { credits: 10, cost: { amount: 2 * cent, by: 'usage' } })
  await expect(ran(painter(known, paid))).rejects.toMatchObject({
    message: 'Not a picture.',
    credits: 2,
    outcome: 'paid',
  })
  const lost = new NodeFailure('Lost.', { outcome: 'unknown' })
  await expect(ran(painter(known, lost))).rejects.toBe(lost)
})

test('without a price of a credit a type stays as it is', () => {
  const type = painter(known, {})
  expect(withCreditPrice(type, null)).toBe(type)
})
