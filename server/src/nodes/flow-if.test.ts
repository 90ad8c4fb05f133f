// Facts about the node type `flow.if`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { flowIf } from './flow-if.ts'

const judge = async (
  condition: string,
  value: unknown,
  compare: unknown = '',
  params: Record<string, unknown> = {},
) => {
  const { outputs } = await callNode(flowIf, { params: { condition, compare, ...params }, inputs: { value } })
  expect(Object.values(outputs)).toEqual([value])
  return Object.keys(outputs)[0] === 'then'
}

test.for([
  ['equals', 'DE', 'de', true],
  ['equals', 5, '5.0', true],
  ['equals', 'a', 'b', false],
  ['equals', '120212345678900123', '120212345678900125', false],
  ['equals', '120212345678900123', '120212345678900123', true],
  ['equals', 1e21, '1000000000000000000000', true],
  ['not_equals', 'a', 'b', true],
  ['contains', 'Summer Sale', 'sale', true],
  ['contains', ['a', 'b'], 'B', true],
  ['contains', ['ab'], 'b', false],
  ['not_contains', 'Summer', 'sale', true],
  ['empty', '  ', '', true],
  ['empty', [], '', true],
  ['empty', {}, '', true],
  ['empty', null, '', true],
  ['empty', 0, '', false],
  ['not_empty', false, '', true],
  ['greater', '10', 9, true],
  ['greater', 9, 9, false],
  ['at_least', 9, 9, true],
  ['less', 8.5, '9', true],
  ['at_most', 9.1, 9, false],
] as const)('%s: %j against %j is %j', async ([condition, value, compare, holds]) => {
  expect(await judge(condition, value, compare)).toBe(holds)
})

test('case counts where that is asked for', async () => {
  expect(await judge('equals', 'DE', 'de', { ignore_case: false })).toBe(false)
})

test('another value can be tested than the one that is sent on', async () => {
  const call = callNode(flowIf, { params: { condition: 'equals', compare: 'de' }, inputs: { value: 1, tested: 'de' } })
  expect(Object.entries((await call).outputs)).toEqual([['then', 1]])
})

test('a number with thousands of digits is compared in no time', async () => {
  const long = `1.${'0'.repeat(300_000)}1`
  const began = processorMs()
  expect(await judge('equals', long, 1)).toBe(false)
  expect(await judge('equals', 1, long)).toBe(false)
  expect(await judge('equals', `1.${'0'.repeat(300_000)}`, 1)).toBe(true)
  expect(processorMs() - began).toBeLessThan(500)
})

test('a long text is looked for in a long text in no time', async () => {
  const part = `${'a'.repeat(30_000)}b${'a'.repeat(30_000)}`
  const began = processorMs()
  expect(await judge('contains', 'a'.repeat(500_000), part)).toBe(false)
  expect(processorMs() - began).toBeLessThan(1000)
})

test('what is no number cannot be compared as one', async () => {
  expect(await failureOf(judge('greater', 'many', 3))).toBe('“many” is not a number to compare.')
})
