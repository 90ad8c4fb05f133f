// Cursors: opaque, signed, and good only for the very list they came from.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  const make = makers(service)
  for (const name of ['Alpha one', 'Alpha two', 'Alpha three', 'Beta']) await make.task({ name, priority: 2 })
})
afterAll(() => service.close())

const filter = JSON.stringify({ combinator: 'and', rules: [{ field: 'priority', operator: '=', value: 2 }] })
const sort = JSON.stringify({ field: 'name', direction: 1 })
const page = (parameters: Record<string, string>, feed = 'board') =>
  service.get(`/api/v1/tasks/${feed}?${new URLSearchParams(parameters)}`)
const cursorOf = async (parameters: Record<string, string>): Promise<string> =>
  (await page({ ...parameters, limit: '1' })).data.meta.next_cursor

const asked = { query: filter, sort, search: 'alpha', status: 'backlog' }

test('a cursor goes on where its page ended, with any page size', async () => {
  const cursor = await cursorOf(asked)
  const { data } = await page({ ...asked, cursor, limit: '7' })
  expect(data.tasks.map(({ name }: { name: string }) => name)).toEqual(['Alpha three', 'Alpha two'])
  expect(data.meta).toEqual({ next_cursor: null, total: null })
})

test.each([
  ['another status', { ...asked, status: 'done' }],
  ['no status', { query: filter, sort, search: 'alpha' }],
  ['another filter', { ...asked, query: filter.replace('2', '3') }],
  ['no filter', { sort, search: 'alpha', status: 'backlog' }],
  ['the other direction', { ...asked, sort: sort.replace('1', '-1') }],
  ['another sort field', { ...asked, sort: sort.replace('name', 'number') }],
  ['another search', { ...asked, search: 'alph' }],
])('with %s it is refused', async (_what, other) => {
  const { status, body } = await page({ ...other, cursor: await cursorOf(asked) })
  expect(status).toBe(422)
  expect(body.detail).toMatchObject([{ type: 'value_error', loc: ['query', 'cursor'] }])
})

test('on the other feed it is refused', async () => {
  const plain = { sort: JSON.stringify({ field: 'number', direction: 1 }) }
  expect((await page({ ...plain, cursor: await cursorOf(plain) }, 'deleted')).status).toBe(422)
})

test('filters that mean the same share a cursor', async () => {
  const noisy = JSON.stringify({
    id: 'g-1',
    combinator: 'and',
    not: false,
    rules: [{ id: 'r-1', field: 'priority', operator: '=', value: '2', valueSource: 'value' }],
  })
  expect((await page({ ...asked, query: noisy, cursor: await cursorOf(asked) })).status).toBe(200)
})

test('a cursor with any one character changed, added or taken away is refused', async () => {
  const cursor = await cursorOf(asked)
  const changed = [...cursor].flatMap((character, at) => [
    cursor.slice(0, at) + (character === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    cursor.slice(0, at) + cursor.slice(at + 1),
  ])
  for (const wrong of [...changed, `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.repeat(2)]) {
    const { status, body } = await page({ ...asked, cursor: wrong })
    expect({ wrong, status }).toEqual({ wrong, status: 422 })
    expect(body.detail[0].loc).toEqual(['query', 'cursor'])
  }
})

test.each([
  ['empty', ''],
  ['text', 'hello'],
  ['a page number', '2'],
  ['readable JSON', Buffer.from('["019a0000-0000-7000-8000-000000000000","x"]').toString('base64url')],
  ['SQL', "' or 1=1 --"],
  ['NUL', '\0'],
  ['100 KB', 'A'.repeat(100_000)],
])('what was never one (%s) is refused', async (_what, cursor) => {
  const { status, body } = await page({ ...asked, cursor })
  expect(status).toBe(422)
  expect(body.detail[0].loc).toEqual(['query', 'cursor'])
})
