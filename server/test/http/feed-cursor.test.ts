// Facts about cursors: each is valid only for the list that it came from.
import type { Sort } from '@atelier/contract/sort-fields.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawTasks, insertTasks } from '../support/feed-model.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { feedPath, pageThrough, type View } from '../support/paging.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await insertTasks(service.database, drawTasks(200))
})
afterAll(() => service.close())

type Asked = { view?: View; sort?: Sort; search?: string; query?: unknown; limit?: number }
const board: View = { feed: 'board', status: null }
const path = ({ view = board, ...parameters }: Asked, cursor?: string) =>
  feedPath(view, { limit: 5, ...parameters, ...(cursor === undefined ? {} : { cursor }) })

/** The cursor that follows the first page of a list. */
const cursorOf = async (asked: Asked = {}): Promise<string> => {
  const { data } = await service.get(path(asked))
  expect(data.meta.next_cursor).not.toBeNull()
  return data.meta.next_cursor
}

async function expectTaken(asked: Asked, cursor: string): Promise<void> {
  const { status, text } = await service.get(path(asked, cursor))
  expect(status, text).toBe(200)
}

async function expectRefused(asked: Asked, cursor: string): Promise<void> {
  const { status, body } = await service.get(path(asked, cursor))
  expect(status, cursor).toBe(422)
  expect(body.detail).toHaveLength(1)
  expect(body.detail[0].loc).toEqual(['query', 'cursor'])
}

const rule = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const filter = { combinator: 'or', rules: [rule('priority', 'in', [1, 2, 3]), rule('geo', 'null', null)] }

describe('a cursor is refused with another', () => {
  test.for<[string, Asked, Asked]>([
    ['feed', {}, { view: { feed: 'deleted', status: null } }],
    ['column', { view: { feed: 'board', status: 'done' } }, { view: { feed: 'board', status: 'backlog' } }],
    ['column than all', {}, { view: { feed: 'board', status: 'done' } }],
    ['sort field', { sort: { field: 'updated_at', direction: 1 } }, { sort: { field: 'created_at', direction: 1 } }],
    ['direction', { sort: { field: 'name', direction: 1 } }, { sort: { field: 'name', direction: -1 } }],
    ['sort than the default', {}, { sort: { field: 'number', direction: 1 } }],
    ['search', { search: 'a' }, { search: 'e' }],
    ['search than none', {}, { search: 'a' }],
    ['filter', { query: filter }, { query: { ...filter, combinator: 'and' } }],
    ['filter than none', {}, { query: filter }],
  ])('%s', async ([, asked, other]) => {
    const cursor = await cursorOf(asked)
    await expectTaken(asked, cursor)
    await expectRefused(other, cursor)
  })
})

describe('a cursor is taken with', () => {
  test('another limit', async () => {
    const expected = (await service.get(path({ limit: 100 }))).data.tasks.map(({ id }: { id: string }) => id)
    let limit = 0
    const ids = await pageThrough(async (cursor) => {
      limit += 3
      return (await service.get(path({ limit }, cursor ?? undefined))).data
    })
    expect(ids.slice(0, 100)).toEqual(expected)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('the default sort, said or not', async () => {
    await expectTaken({ sort: { field: 'created_at', direction: -1 } }, await cursorOf())
    await expectTaken({}, await cursorOf({ sort: { field: 'created_at', direction: -1 } }))
    const view = { feed: 'deleted', status: null } as const
    await expectTaken({ view, sort: { field: 'deleted_at', direction: -1 } }, await cursorOf({ view }))
  })

  test('a filter that means the same', async () => {
    const cursor = await cursorOf({ query: filter })
    const [first, second] = filter.rules
    const same = [
      { rules: [second, first], combinator: 'or' },
      { ...filter, not: false, id: 'g1', path: [], disabled: true },
      { ...filter, rules: [{ ...first, value: '3, 2,1,1', id: 'r1', path: [0], valueSource: 'value' }, second] },
      { ...filter, rules: [...filter.rules, first, { field: 'half', operator: '', value: '', muted: true }] },
    ]
    for (const query of same) await expectTaken({ query }, cursor)
    await expectRefused({ query: { ...filter, not: true } }, cursor)
  })

  test('no filter and no search, however that is said', async () => {
    const cursor = await cursorOf()
    await expectTaken({ query: { combinator: 'and', rules: [] }, search: '' }, cursor)
    await expectTaken({ query: { combinator: 'or', rules: [{ muted: true }] } }, cursor)
  })
})

describe('a cursor that nobody wrote is refused:', () => {
  const changed = (text: string, at: number): string => {
    const other = text[at] === 'A' ? 'B' : 'A'
    return text.slice(0, at) + other + text.slice(at + 1)
  }

  test('one with any character changed', async () => {
    const asked: Asked = { sort: { field: 'name', direction: 1 } }
    const cursor = await cursorOf(asked)
    for (let at = 0; at < cursor.length; at++) await expectRefused(asked, changed(cursor, at))
  })

  test('one cut short or made longer', async () => {
    const cursor = await cursorOf()
    for (let length = 1; length < cursor.length; length += 7) await expectRefused({}, cursor.slice(0, length))
    for (const more of ['A', '=', '==', ' ', '.', '\n', cursor]) await expectRefused({}, cursor + more)
    await expectRefused({}, ` ${cursor}`)
  })

  test('one in another spelling of the same bytes', async () => {
    const cursor = await cursorOf({ sort: { field: 'name', direction: 1 } })
    const bytes = Buffer.from(cursor, 'base64url')
    const spellings = [
      bytes.toString('hex'),
      `${cursor}=`,
      bytes.toString('latin1').toWellFormed().replaceAll('\0', '?'),
    ]
    const base64 = bytes.toString('base64')
    if (base64 !== cursor) spellings.push(base64)
    // Changes only those bits of the last base64 character that encode nothing, so the decoded bytes stay the same.
    if (bytes.length % 3 !== 0) {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      spellings.push(cursor.slice(0, -1) + alphabet[alphabet.indexOf(cursor.at(-1) ?? '') + 1])
    }
    for (const spelling of spellings) await expectRefused({ sort: { field: 'name', direction: 1 } }, spelling)
  })

  test('one whose position was written by hand', async () => {
    const signature = Buffer.from(await cursorOf(), 'base64url').subarray(0, 16)
    const payloads = ['["00000000-0000-0000-0000-000000000000",null]', '[]', '{}', 'null', "['; drop table tasks", '']
    for (const payload of payloads) {
      await expectRefused({}, Buffer.concat([signature, Buffer.from(payload)]).toString('base64url'))
    }
    await expectRefused({}, Buffer.from(payloads[0] ?? '').toString('base64url'))
  })

  test('one of another workspace', async () => {
    const other = await startService()
    try {
      await insertTasks(other.database, drawTasks(200))
      const { data } = await other.get(path({}))
      expect(data.tasks).toHaveLength(5)
      await expectRefused({}, data.meta.next_cursor)
    } finally {
      await other.close()
    }
  })

  test('an empty one, a word, a huge one', async () => {
    for (const cursor of ['', 'null', 'undefined', '0', '-1', 'x'.repeat(5_001), 'A'.repeat(4_999), '🎬', '../..']) {
      await expectRefused({}, cursor)
    }
  })
})

test('a cursor stays good for names as long as they may be', async () => {
  const { task } = makers(service)
  // Case folding turns each of these characters into three characters of four bytes each, so the cursors are very long.
  for (const end of ['\u{1d15f}', '\u{1d160}']) await task({ name: `${'\u{1d161}'.repeat(254)}${end}` })
  const asked: Asked = { sort: { field: 'name', direction: -1 }, search: '\u{1d161}', limit: 1 }
  const read = async (cursor: string | null) => (await service.get(path(asked, cursor ?? undefined))).data
  const first = await read(null)
  expect(first.tasks[0].name).toHaveLength(510)
  const second = await read(first.meta.next_cursor)
  expect(second.tasks[0].name).toHaveLength(510)
  expect(second.tasks[0].id).not.toBe(first.tasks[0].id)
  expect(second.meta.next_cursor).toBeNull()
})

test('a position is told to nobody who cannot read it anyway: it holds a sort key and an id', async () => {
  const { data } = await service.get(path({ sort: { field: 'number', direction: 1 }, limit: 3 }))
  const [id, key] = JSON.parse(Buffer.from(data.meta.next_cursor, 'base64url').subarray(16).toString())
  expect([id, key]).toEqual([data.tasks[2].id, String(data.tasks[2].number)])
})
