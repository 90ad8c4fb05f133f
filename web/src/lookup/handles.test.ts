// Facts about reading the text that a user pastes into the lookup.
import { expect, test } from 'vitest'
import { toCsv } from '../lib/csv.ts'
import { batchesOf, readHandles, withoutTwins } from './handles.ts'

const row = (query: string, handle: 'name' | 'ad_id', ...creatives: string[]) => ({ query, handle, creatives })
/** The rows that are shown of what the service answers if only these texts are found, each by a creative of its own. */
function shown(text: string, ...found: string[]) {
  const handles = readHandles(text)
  const rows = batchesOf(handles).flatMap(({ names, ad_ids }) => [
    ...names.map((query) => row(query, 'name', ...found.filter((one) => one === query))),
    ...ad_ids.map((query) => row(query, 'ad_id')),
  ])
  return withoutTwins(rows, handles)
}

test('numbers may be campaign ids or names, everything else is a name', () => {
  expect(readHandles('T42_Glow_V1_01\n23852150404470549\n12345\n')).toMatchObject({
    names: ['T42_Glow_V1_01'],
    numbers: ['23852150404470549', '12345'],
    wholes: [],
    repeated: 0,
  })
})

test('rows and columns of a spreadsheet are taken apart, quotes taken off, repetitions counted', () => {
  expect(readHandles('"A_1"\tB_2, C_3;\r\n A_1 \n\n')).toMatchObject({
    names: ['A_1', 'B_2', 'C_3'],
    numbers: [],
    wholes: ['B_2, C_3;'],
    repeated: 1,
  })
  expect(batchesOf(readHandles('  \n '))).toEqual([])
})

test('within quotes a comma or semicolon separates nothing, and two quotes are one', () => {
  expect(readHandles('"Glow, take 2";"Say ""hi""; now",B_2\n"A_1"').names).toEqual([
    'Glow, take 2',
    'Say "hi"; now',
    'B_2',
    'A_1',
  ])
  expect(readHandles('Say "hi", now\n"No end, here').names).toEqual(['Say "hi"', 'now', '"No end', 'here'])
})

test('cells of our CSV files are read as what they stand for, from the file and from a spreadsheet', () => {
  const cells = ['23852150404470549', '007', '=1+1', '-1', '+x', '@x', "'quoted'"]
  const others = { names: ['=1+1', '-1', '+x', '@x', "'quoted'"], numbers: ['23852150404470549', '007'] }
  expect(readHandles(toCsv(cells.map((cell) => [cell])))).toMatchObject(others)
  expect(readHandles(`="23852150404470549"\n'-1`)).toMatchObject({ names: ['-1'], numbers: ['23852150404470549'] })
})

test('a name that only looks like a cell of our CSV files is found as it is', () => {
  for (const name of ["'-1", '="12"']) expect(shown(name, name)).toEqual([row(name, 'name', name)])
})

test('a name with commas, semicolons or quotes is found as it is', () => {
  for (const name of ['Glow, take 2', 'Glow; 12345', '"Hi", she said', '"Hi"', ',', 'A,,B'])
    expect(shown(name, name)).toEqual([row(name, 'name', name)])
  expect(shown('A_1\nGlow, take 2', 'Glow, take 2')).toEqual([
    row('A_1', 'name'),
    row('Glow, take 2', 'name', 'Glow, take 2'),
  ])
})

test('of a list in one line the parts are told, found or not', () => {
  expect(shown('A_1, B_2', 'B_2')).toEqual([row('A_1', 'name'), row('B_2', 'name', 'B_2')])
  expect(shown('Glow, A_1\nA_1', 'Glow, A_1')).toEqual([row('A_1', 'name'), row('Glow, A_1', 'name', 'Glow, A_1')])
})

test('a list of many handles is not looked up as one name', () => {
  const names = Array.from({ length: 100 }, (_, at) => `T${at}`)
  expect(readHandles(names.join(', '))).toMatchObject({ names, wholes: [] })
})

test('more than the service takes at a time is asked in batches', () => {
  const names = Array.from({ length: 1001 }, (_, at) => `n${at}`)
  const batches = batchesOf(readHandles([...names, '1'].join('\n')))
  expect(batches.map((batch) => [batch.names.length, batch.ad_ids.length])).toEqual([
    [500, 1],
    [500, 0],
    [2, 0],
  ])
})

test('a number of any length is asked as both, and told as what it was found to be', () => {
  for (const number of ['12345', '23852150404470549']) {
    const handles = readHandles(`a\n${number}`)
    expect(batchesOf(handles)).toEqual([{ names: ['a', number], ad_ids: [number] }])
    const [name, missing, id] = [row('a', 'name'), row(number, 'name'), row(number, 'ad_id', 'it')]
    expect(withoutTwins([name, missing, id], handles)).toEqual([name, id])
    const found = row(number, 'name', 'it')
    expect(withoutTwins([found, row(number, 'ad_id')], handles)).toEqual([found])
    expect(withoutTwins([missing, row(number, 'ad_id')], handles)).toEqual([row(number, 'ad_id')])
  }
})
