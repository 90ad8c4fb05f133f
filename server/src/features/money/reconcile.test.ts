// Facts about comparing a provider's list of charges with the ledger: which lines match which calls, and which amounts differ.
import { expect, test } from 'vitest'
import { readProviderExport } from './provider-export.ts'
import { type LedgerCall, reconcile } from './reconcile.ts'

const minute = 60_000
const noon = Date.parse('2026-11-23T12:00:00Z')
const call = (id: string, at: number, amount: number | null, more: Partial<LedgerCall> = {}): LedgerCall => ({
  ...{ id, run_id: 'run', model: 'openai:painter', outcome: 'charged', amount },
  ...{ begun: noon + at * minute, ended: noon + at * minute + 5000, ...more },
})
const row = (line: number, at: number, amount: number, requestId = '') => ({
  ...{ line, time: noon + at * minute, model: 'openai:painter', amount, requestId },
})
const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
const lines = (...[rows, calls]: [Parameters<typeof reconcile>[0], LedgerCall[]]) => {
  const { agreed, differing, onlyExported, onlyBooked } = reconcile(rows, calls, {
    withinMs: 10 * minute,
    span: always,
  })
  const pairs = (some: typeof agreed) => some.map(({ row: { line }, call: { id } }) => `${line}=${id}`)
  return [pairs(agreed), pairs(differing), onlyExported.map(({ line }) => line), onlyBooked.map(({ id }) => id)]
}

test('a line belongs to the call it names, however late it is', () => {
  expect(lines([row(2, 90, 40_000, 'b')], [call('a', 90, 40_000), call('b', 0, 40_000)])).toEqual([
    ['2=b'],
    [],
    [],
    ['a'],
  ])
})

test('without a name it belongs to one of the same model and amount at about that time, each to one', () => {
  const calls = [call('a', 0, 40_000), call('b', 1, 50_000), call('c', 2, 40_000), call('d', 60, 40_000)]
  expect(lines([row(2, 0, 50_000), row(3, 1, 40_000), row(4, 2, 40_000), row(5, 3, 40_000)], calls)).toEqual([
    ['2=b', '3=a', '4=c'],
    [],
    [5],
    ['d'],
  ])
})

test('calls that overlap are matched so that as many lines as possible have one', () => {
  // Both fit the first line, which is at the end of b; the second line is too late for b, and fits only the long call.
  const long = call('long', 0, 40_000, { ended: noon + 60 * minute })
  const calls = [long, call('b', 1, 40_000)]
  expect(lines([row(2, 1, 40_000), row(3, 60, 40_000)], calls)).toEqual([['2=b', '3=long'], [], [], []])
  // A call that has ended does not hide one that began before it and is still under way.
  expect(lines([row(2, 50, 40_000)], calls)).toEqual([['2=long'], [], [], ['b']])
  // One that began after a long call had been reached, and ends before it, is taken before it.
  const late = call('late', 40, 40_000)
  expect(lines([row(2, 1, 40_000), row(3, 40, 40_000), row(4, 60, 40_000)], [...calls, late])).toEqual([
    ['2=b', '3=late', '4=long'],
    [],
    [],
    [],
  ])
})

test('an id decides before any time: its call is not given to another line, even to one that fits better', () => {
  const calls = [call('long', 0, 40_000, { ended: noon + 60 * minute }), call('b', 1, 40_000)]
  expect(lines([row(2, 1, 40_000, 'long'), row(3, 1, 40_000), row(4, 60, 40_000)], calls)).toEqual([
    ['2=long', '3=b'],
    [],
    [4],
    [],
  ])
})

test('each call belongs to the list in whose time it began; one under way at the end may be in the next', () => {
  const span = { from: noon, to: noon + 60 * minute }
  const calls = [call('before', -1, 10), call('first', 0, 20), call('last', 59, 30), call('after', 59.99, 40)]
  const lost = call('lost', 30, null, { outcome: 'unknown', ended: noon + 9000 * minute })
  const edges = (...rows: Parameters<typeof reconcile>[0]) =>
    reconcile(rows, [...calls, lost], { withinMs: minute, span })
  expect(edges().onlyBooked.map(({ id }) => id)).toEqual(['first', 'lost', 'last'])
  expect(edges().atTheEnd.map(({ id }) => id)).toEqual(['after'])
  expect(edges(row(2, 0, 10), row(3, 0, 20)).onlyExported).toEqual([])
})

test('another amount, one that nobody knew, and one that was thought free are differences', () => {
  const calls = [
    call('a', 0, 40_000),
    call('b', 30, null, { outcome: 'unknown' }),
    call('c', 60, 0, { outcome: 'free' }),
  ]
  expect(lines([row(2, 0, 45_000), row(3, 30, 40_000), row(4, 60, 40_000)], calls)).toEqual([
    [],
    ['2=a', '3=b', '4=c'],
    [],
    [],
  ])
})

test('calls that were free and that nobody charged are no difference; another model is', () => {
  const other = { ...row(2, 0, 40_000), model: 'openai:other' }
  expect(lines([other], [call('a', 0, 0, { outcome: 'free' })])).toEqual([[], [], [2], []])
})

test('a hundred thousand lines within a minute are matched at once', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => at)
  const [agreed, differing] = lines(
    many.map((at) => row(at, at / 100_000, 40_000 + (at % 3))),
    many.map((at) => call(`${at}`, at / 100_000, 40_000 + (at % 2))),
  )
  expect([agreed?.length, differing?.length]).toEqual([66_667, 33_333])
})

test('amounts are read to the millionth, times with their zone, and models with their provider', () => {
  const text =
    '\uFEFFModel,TIME,amount,project\npainter,2026-11-23T13:00:00+01:00,0.0000015,"a, b"\nopenai:small,2026-11-23 12:00:00Z,12,\n'
  expect(readProviderExport(text, 'openai', 'USD')).toEqual([
    { line: 2, time: noon, model: 'openai:painter', amount: 2, requestId: '' },
    { line: 3, time: noon, model: 'openai:small', amount: 12_000_000, requestId: '' },
  ])
})

test.for([
  ['model,amount\n', /no column time/],
  ['time,model,amount\n2026-11-23T12:00:00,painter,1\n', /Line 2 .* is no time/],
  ['time,model,amount\n2026-11-23T12:00:00Z,painter,"1,5"\n', /Line 2 .* is no amount/],
  ['time,model,amount\n2026-11-23T12:00:00Z,,1\n', /Line 2 .* names no model/],
  ['time,model,amount,currency\n2026-11-23T12:00:00Z,painter,1,eur\n', /Line 2 .* in EUR; the ledger is kept in USD/],
  ['time,model,amount\n2026-11-23T12:00:00Z,painter\n', /no CSV/],
] as const)('what is wrong with an export is said with its line: %s', ([text, words]) => {
  expect(() => readProviderExport(text, 'openai', 'USD')).toThrow(words)
})
