// Facts about reading the text that a user pastes into the lookup.
import { expect, test } from 'vitest'
import { batchesOf, readHandles, withoutTwins } from './handles.ts'

test('long numbers are campaign ids, shorter ones may be, everything else is a name', () => {
  expect(readHandles('T42_Glow_V1_01\n23852150404470549\n12345\n')).toEqual({
    names: ['T42_Glow_V1_01'],
    adIds: ['23852150404470549'],
    either: ['12345'],
    repeated: 0,
  })
})

test('rows and columns of a spreadsheet are taken apart, quotes taken off, repetitions counted', () => {
  expect(readHandles('"A_1"\tB_2, C_3;\r\n A_1 \n\n')).toEqual({
    names: ['A_1', 'B_2', 'C_3'],
    adIds: [],
    either: [],
    repeated: 1,
  })
  expect(readHandles('  \n ')).toEqual({ names: [], adIds: [], either: [], repeated: 0 })
})

test('more than the service takes at a time is asked in batches', () => {
  const names = Array.from({ length: 1001 }, (_, at) => `n${at}`)
  const batches = batchesOf({ names, adIds: ['1'], either: [], repeated: 0 })
  expect(batches.map((batch) => [batch.names.length, batch.ad_ids.length])).toEqual([
    [500, 1],
    [500, 0],
    [1, 0],
  ])
  expect(batchesOf({ names: [], adIds: [], either: [], repeated: 0 })).toEqual([])
})

test('a short number is asked as both, and told as what it was found to be', () => {
  const asked = { names: ['a'], adIds: [], either: ['12345'], repeated: 0 }
  expect(batchesOf(asked)).toEqual([{ names: ['a', '12345'], ad_ids: ['12345'] }])
  const row = (query: string, handle: string, ...creatives: string[]) => ({ query, handle, creatives })
  const [name, missing, id] = [row('a', 'name'), row('12345', 'name'), row('12345', 'ad_id', 'it')]
  expect(withoutTwins([name, missing, id], ['12345'])).toEqual([name, id])
  const found = row('12345', 'name', 'it')
  expect(withoutTwins([found, row('12345', 'ad_id')], ['12345'])).toEqual([found])
  expect(withoutTwins([missing, row('12345', 'ad_id')], ['12345'])).toEqual([row('12345', 'ad_id')])
})
