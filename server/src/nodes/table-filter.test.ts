// Facts about the node type `table.filter`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { tableFilter } from './table-filter.ts'

const rows = [
  { locale: 'de', price: '19' },
  { locale: 'fr', price: '9' },
  { locale: 'de', price: '' },
]
const filter = (params: Record<string, unknown>) => callNode(tableFilter, { params, inputs: { rows } })
const isGerman = { column: 'locale', condition: 'equals', value: 'DE' }
const isCheap = { column: 'price', condition: 'less', value: 15 }

test('keeps rows that meet every rule, and gives the others too', async () => {
  const { outputs } = await filter({ rules: [isGerman, { column: 'price', condition: 'not_empty' }] })
  expect(outputs).toEqual({ rows: [rows[0]], others: [rows[1], rows[2]], count: 1 })
})

test('keeps rows that meet any rule', async () => {
  const rules = [
    { column: 'locale', condition: 'equals', value: 'fr' },
    { column: 'price', condition: 'empty' },
  ]
  expect((await filter({ match: 'any', rules })).outputs.rows).toEqual([rows[1], rows[2]])
})

test('keeps all without rules, and no more than the limit', async () => {
  expect((await filter({})).outputs.count).toBe(3)
  expect((await filter({ limit: 2 })).outputs).toMatchObject({ count: 2, others: [rows[2]] })
})

test('a column that is nowhere is a slip of the pen', async () => {
  expect(await failureOf(filter({ rules: [{ column: 'lokale', condition: 'empty' }] }))).toBe(
    'No row has a column “lokale”. There are: locale, price.',
  )
})

test('a long text to compare with is prepared once, and not for each row', async () => {
  const many = Array.from({ length: 100_000 }, () => ({ locale: 'de' }))
  const rules = ['contains', 'equals'].map((condition) => ({ column: 'locale', condition, value: 'A'.repeat(60_000) }))
  const began = processorMs()
  const { outputs } = await callNode(tableFilter, { params: { match: 'any', rules }, inputs: { rows: many } })
  expect(outputs.count).toBe(0)
  expect(processorMs() - began).toBeLessThan(800)
})

test('other work gets a turn while many rows are looked at', async () => {
  const rows = Array.from({ length: 5000 }, () => ({ text: 'Summer Sale '.repeat(20) }))
  const rules = Array.from({ length: 20 }, () => ({ column: 'text', condition: 'contains', value: 'sale' }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await callNode(tableFilter, { params: { rules }, inputs: { rows } })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('what is no number cannot be compared as one', async () => {
  expect(await failureOf(filter({ rules: [isCheap] }))).toBe('“” is not a number to compare.')
})
