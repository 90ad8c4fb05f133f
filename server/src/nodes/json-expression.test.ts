// Facts about the node type `json.expression`, and about the sandbox that evaluates the expressions.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { jsonExpression } from './json-expression.ts'
import { createSandbox } from './sandbox/sandbox.ts'

const type = jsonExpression(createSandbox(1, { seconds: 2, megabytes: 64, output: 100_000 }))
const work = (expression: string, inputs: Record<string, unknown> = {}) =>
  callNode(type, { params: { expression }, inputs })

test('picks out of data and puts it together anew', async () => {
  const value = [
    { product: 'Flask', price: 29 },
    { product: 'Cup', price: 12 },
  ]
  expect((await work('value[price < 20].product', { value })).outputs).toEqual({ value: 'Cup' })
  expect((await work('$sum(value.price) * factor', { value, factor: 2 })).outputs).toEqual({ value: 82 })
  expect((await work('value.{"name": product}', { value })).outputs).toEqual({
    value: [{ name: 'Flask' }, { name: 'Cup' }],
  })
})

test('dates with a year are read and written', async () => {
  const value = ['2026-05-01', '2027-01-31T10:00:00Z']
  expect((await work('value.$toMillis()', { value })).outputs).toEqual({
    value: [Date.UTC(2026, 4, 1), Date.UTC(2027, 0, 31, 10)],
  })
  const rewritten = '$fromMillis($toMillis("1.5.2026", "[D].[M].[ Y]"), "[Y]-[M01]-[D01]")'
  expect((await work(rewritten)).outputs).toEqual({ value: '2026-05-01' })
  expect(
    (await work('$map(value, function($stamp) { $toMillis($stamp) })', { value: ['2026', '2027'] })).outputs,
  ).toEqual({
    value: [Date.UTC(2026, 0), Date.UTC(2027, 0)],
  })
  expect((await work('$toMillis(value.nothing)', { value: {} })).outputs).toEqual({})
})

test('has no value where the expression gives none', async () => {
  expect((await work('value.nothing', { value: {} })).outputs).toEqual({})
})

test.for([
  ['value[', /^The expression does not work out: .*\(at character \d+\)/],
  ['$now()', /gives something else each time/],
  ['$random()', /gives something else each time/],
  ['$toMillis("00:00", "[H01]:[m01]")', /from the clock; an expression may not\. Name the year/],
  ['$toMillis("[Y] 24 Dec", "[[Y]] [D] [MNn,*-3]")', /from the clock/],
  ['$toMillis("in May")', /does not work out: .*ISO 8601 .*\(at character 10\)/],
  ['$number("x" & $pad("", 50000, "y"))', /^The expression does not work out: .{100,2000}… \(at character \d+\)\.$/],
  ['$nosuch(1)', /does not work out/],
  ['function($a) { $a }', /gives a function/],
  ['[1..90000].("xxxxxxxxxx")', /100000 is the most/],
] as const)('%s is refused in words', async ([expression, words]) => {
  expect(await failureOf(work(expression))).toMatch(words)
})

test('what does not end is ended, and the next one works', async () => {
  expect(await failureOf(work('($f := function($n) { $f($n + 1) }; $f(0))'))).toMatch(
    /within 2 seconds|memory|does not work out/,
  )
  expect((await work('1 + 1')).outputs).toEqual({ value: 2 })
})

test('what needs too much memory is ended, and the next one works', async () => {
  const hungry = '($f := function($a) { $f($append($a, $a)) }; $f([1,2,3,4,5,6,7,8]))'
  expect(await failureOf(work(hungry))).toMatch(/memory|within 2 seconds|does not work out/)
  expect((await work('1 + 1')).outputs).toEqual({ value: 2 })
})

test('an aborted call ends at once', async () => {
  const stop = new AbortController()
  const call = callNode(type, {
    params: { expression: '($f := function($n) { $f($n + 1) }; $f(0))' },
    signal: stop.signal,
  })
  stop.abort()
  await expect(call).rejects.toThrow(/abort/i)
})

test('many at once take turns, and one that is called off while it waits holds up no other', async () => {
  const stop = new AbortController()
  const long = '$count([1..20000].($ * 2))'
  const calls = [1, 2, 3].map((n) => work(`${long} + ${n}`))
  const called = callNode(type, { params: { expression: long }, signal: stop.signal })
  const last = [4, 5].map((n) => work(`${long} + ${n}`))
  stop.abort()
  await expect(called).rejects.toThrow(/abort/i)
  const results = await Promise.all([...calls, ...last])
  expect(results.map(({ outputs }) => outputs.value)).toEqual([20_001, 20_002, 20_003, 20_004, 20_005])
})
