// Facts about what somebody pasted into the lookup.
import { expect, test } from 'vitest'
import { batchesOf, readHandles } from './handles.ts'

test('long numbers are campaign ids, everything else is a name', () => {
  expect(readHandles('T42_Glow_V1_01\n23852150404470549\n12345\n')).toEqual({
    names: ['T42_Glow_V1_01', '12345'],
    adIds: ['23852150404470549'],
    repeated: 0,
  })
})

test('rows and columns of a spreadsheet are taken apart, quotes taken off, repetitions counted', () => {
  expect(readHandles('"A_1"\tB_2, C_3;\r\n A_1 \n\n')).toEqual({ names: ['A_1', 'B_2', 'C_3'], adIds: [], repeated: 1 })
  expect(readHandles('  \n ')).toEqual({ names: [], adIds: [], repeated: 0 })
})

test('more than the service takes at a time is asked in batches', () => {
  const names = Array.from({ length: 1001 }, (_, at) => `n${at}`)
  const batches = batchesOf({ names, adIds: ['1'], repeated: 0 })
  expect(batches.map((batch) => [batch.names.length, batch.ad_ids.length])).toEqual([
    [500, 1],
    [500, 0],
    [1, 0],
  ])
  expect(batchesOf({ names: [], adIds: [], repeated: 0 })).toEqual([])
})
