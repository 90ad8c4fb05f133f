// Facts about the node type `text.template`.
import { expect, onTestFinished, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { textTemplate } from './text-template.ts'

const fill = async (template: string, inputs: Record<string, unknown> = {}) =>
  (await callNode(textTemplate, { params: { template }, inputs })).outputs.text
const refusal = (template: string, inputs: Record<string, unknown> = {}) =>
  failureOf(callNode(textTemplate, { params: { template }, inputs }))

test('inputs of any name are its variables, members of rows too', async () => {
  const inputs = { product: 'Flask', row: { price: 29.9 }, lines: ['a', 'b'] }
  expect(
    await fill('Meet {{ product }}, {{ row.price }}: {% for line in lines %}{{ line }};{% endfor %}', inputs),
  ).toBe('Meet Flask, 29.9: a;b;')
})

test('a placeholder without a value is named, with its line and what to do', async () => {
  expect(await refusal('a\n{{ offer }}')).toBe(
    'The template cannot be filled in: “offer”, in line 2, has no value. Lead a value to the node under that name, or write {{ offer | default: "…" }}.',
  )
})

test('a list where one of it is asked for is called a list', async () => {
  expect(await refusal('{{ row.market }}', { row: [{ market: 'DE' }, { market: 'FR' }, { market: 'UK' }] })).toBe(
    'The template cannot be filled in: “row” is a list of 3, and “row.market”, in line 1, asks for a member of one. Let the node run once for each element of “row”, or write {% for one in row %}…{% endfor %}.',
  )
})

test('a default and a condition stand in for what may be missing', async () => {
  expect(await fill('{{ offer | default: "none" }}{% if offer %}!{% endif %}')).toBe('none')
})

test.for([
  '{% for a in (1..100000000) %}x{% endfor %}',
  '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}',
  '{% assign a = "xxxxxxxxxx" %}{% for i in (1..30) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
])('what would not end is ended: %s', async (template) => {
  expect(await refusal(template)).toMatch(/too long, or loops too often/)
})

test('a thread that was suspended in the middle of a template fills it in all the same', async () => {
  let suspensions = 1
  const row = {
    toJSON: () => {
      if (suspensions-- > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      return 'cold'
    },
  }
  expect(await fill('{{ row }} {{ row }}', { row })).toBe('"cold" "cold"')
})

test.for([
  ['{% include "../../../etc/passwd" %}', /ENOENT|not found|Failed to lookup/i],
  ['{% render "x" %}', /ENOENT|not found|Failed to lookup/i],
  ['{{ "now" | date: "%Y" }}', /no clock/],
  ['{{ "now" | date_to_xmlschema }}', /no clock/],
  ['{{ "now" | date_to_rfc822 }}', /no clock/],
  ['{{ "today" | date_to_string }}', /no clock/],
  ['{{ "today" | date_to_long_string }}', /no clock/],
  ['{{ lines | sample }}', /something else each time/],
  ['{{ lines | nosuchfilter }}', /undefined filter: nosuchfilter/],
  ['{{ unclosed', /not closed/],
] as const)('%s is refused', async ([template, words]) => {
  expect(await refusal(template, { lines: ['a'] })).toMatch(words)
})

test('nothing is reached through prototypes', async () => {
  expect(await refusal('{{ row.constructor }}', { row: {} })).toMatch(/has no value/)
})

test('a text longer than the limit is refused', async () => {
  expect(await refusal('{{ a }}', { a: 'x'.repeat(200_001) })).toMatch(/200000 is the most|too long/)
})

test('tags are taken away, in no time also where none of them closes', async () => {
  expect(await fill('{{ a | strip_html }}', { a: '<p>Ice <b>cold</b>' })).toBe('Ice cold')
  const began = processorMs()
  expect(await fill('{{ a | strip_html | size }}', { a: '<'.repeat(400_000) })).toBe('400000')
  expect(await fill('{{ a | date: "%Y" | size }}', { a: 'UTC('.repeat(100_000) })).toBe('400000')
  expect(processorMs() - began).toBeLessThan(1000)
})

test('a text is looked for in another one in no time', async () => {
  const inputs = { text: 'a'.repeat(200_000), part: `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}` }
  const searches = ['remove', 'remove_first', 'remove_last', 'split', 'replace', 'replace_first', 'replace_last']
  const began = processorMs()
  for (const search of searches) {
    const more = search.startsWith('replace') ? ', "x"' : ''
    expect(await fill(`{{ text | ${search}: part${more} | join: "" | size }}`, inputs)).toBe('200000')
  }
  const terms = Array.from({ length: 8 }, () => 'text contains part').join(' or ')
  expect(await fill(`{% if ${terms} %}yes{% else %}no{% endif %}`, inputs)).toBe('no')
  expect(processorMs() - began).toBeLessThan(2000)
})

test.each([
  ['{{ t | remove: "a" }}', 'bXb'],
  ['{{ t | remove_first: "a" }} {{ t | remove_last: "a" }} {{ t | remove_last: "z" }}', 'baXaba baaXab baaXaba'],
  ['{{ t | replace: "a", "$&" }} {{ t | replace: "z", "y" }}', 'b$&$&X$&b$& baaXaba'],
  ['{{ t | replace_first: "a", "$&" }} {{ t | replace_last: "a", "-" }}', 'b$&aXaba baaXab-'],
  ['{{ t | split: "a" }} {{ t | split: "" | size }} {{ none | split: "a" }}', '["b","","X","b"] 7 []'],
  ['{{ list | remove: "1" }} {{ 121 | replace: 2, 3 }}', '2a 131'],
  ['{% if t contains "aX" and list contains 2 and list contains "a" %}1{% endif %}', '1'],
  ['{% if t contains "z" or list contains "2" or list contains "" or 12 contains 1 %}1{% endif %}', ''],
  ['{% if list == copy and list != none and nested == twin and list != nested %}1{% endif %}', '1'],
  ['{% if none == empty and list != empty and none == blank and gone == nil %}1{% endif %}', '1'],
])('%s gives “%s”', async (template, text) => {
  const list = [1, 2, 'a']
  const inputs = {
    t: 'baaXaba',
    list,
    copy: [...list],
    nested: [list, []],
    twin: [[...list], []],
    none: [],
    gone: null,
  }
  expect(await fill(template, inputs)).toBe(text)
})

test.for([
  ['where_exp', '{{ list | where_exp: "one", "one > 2000000" | size }}'],
  ['group_by_exp', '{{ list | group_by_exp: "one", "one" | size }}'],
  ['map', `{{ list ${'| map: "one" '.repeat(4)}| size }}`],
  ['contains', `{% if ${'list contains "x" or '.repeat(100)} nil %}{% endif %}`],
  ['==', `{% if ${'list == copy and '.repeat(100)} nil %}{% endif %}`],
] as const)('an expression or a filter is ended in the middle: %s', async ([, template]) => {
  const list = Array.from({ length: 1_000_000 }, (_, index) => index)
  const began = processorMs()
  expect(await refusal(template, { list, copy: [...list] })).toMatch(/too long, or loops too often/)
  expect(processorMs() - began).toBeLessThan(2500)
})

test.for(['sort', 'sort_natural'])('a list of a million texts is not sorted: %s', async (filter) => {
  const list = Array.from({ length: 1_000_000 }, (_, index) => `${index}`)
  expect(await refusal(`{{ list | ${filter} | first }}`, { list })).toContain(`${filter} takes at most 100000 elements`)
  expect(await fill(`{{ list | ${filter} | first }}`, { list: list.slice(0, 50_000) })).toBe('0')
})

test.for([
  ['push: a', '{{ a }}'],
  ['concat: a | group_by_exp: "one", "1"', '{{ a | join }}'],
])('a list that contains itself again and again is refused: %s', async ([more, out]) => {
  const template = `{% assign a = "x" | split: "," %}{% for i in (1..40) %}{% assign a = a | ${more} %}{% endfor %}${out}`
  const began = processorMs()
  expect(await refusal(template)).toMatch(/too long, or loops too often/)
  expect(processorMs() - began).toBeLessThan(1000)
})

test('a row or a list that is put out whole is data', async () => {
  expect(await fill('{{ row }} {{ list }} {{ list | join: "," }}', { row: { a: 1 }, list: [1, 'b'] })).toBe(
    '{"a":1} [1,"b"] 1,b',
  )
})

test.each([
  ['January 5, 2026', '2026-01-05 00:00'],
  ['2026/01/05', '2026-01-05 00:00'],
  ['2026-01-05', '2026-01-05 00:00'],
  ['2026-01-05 00:30', '2026-01-05 00:30'],
  ['2026-01-05T00:30', '2026-01-05 00:30'],
  ['5 Jan 2026 3:00 PM', '2026-01-05 15:00'],
  ['5 Jan 2026 10:00 EST', '2026-01-05 15:00'],
  ['2026-01-05T10:00:00+02:00', '2026-01-05 08:00'],
  ['2026-01-05 10:00:00+02', '2026-01-05 08:00'],
  ['5 Jan 2026 10:00 GMT-5', '2026-01-05 15:00'],
  ['01-05-2026', '2026-01-05 00:00'],
  ['Mon Jan 05 2026 10:00:00 GMT+0100 (CET)', '2026-01-05 09:00'],
])('the date “%s” is the same in every zone that the machine may be in', async (text, written) => {
  const zone = process.env.TZ
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  for (const TZ of ['Europe/Berlin', 'America/Los_Angeles', 'UTC']) {
    process.env.TZ = TZ
    expect(await fill('{{ at | date: "%Y-%m-%d %H:%M" }}', { at: text })).toBe(written)
  }
})

test('dates are written in UTC wherever it runs', async () => {
  expect(await fill('{{ at | date: "%Y-%m-%d %H:%M" }}', { at: '2026-03-01T23:30:00Z' })).toBe('2026-03-01 23:30')
})
