// Facts about hostile requests to the feeds and to every route that writes: each gets a 4xx with its reason, never a 500.
import { filterLimits } from '@atelier/contract/filter-fields.ts'
import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveSchema } from '../../src/platform/http/schemas.ts'
import { drawTasks, insertTasks } from '../support/feed-model.ts'
import { bodyText, nearly, queryText } from '../support/fuzz.ts'
import { type Service, share, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await insertTasks(service.database, drawTasks(60))
})
afterAll(() => service.close())

const feeds = ['/api/v1/tasks/board', '/api/v1/tasks/deleted']

/** Expects both feeds to refuse a raw query string with a 422 whose first error is located at `loc`. */
async function expectRefused(raw: string, loc: (string | number)[], type?: string): Promise<void> {
  for (const feed of feeds) {
    const { status, body, text } = await service.get(`${feed}?${raw}`)
    expect(status, `${raw.slice(0, 200)} ${text.slice(0, 500)}`).toBe(422)
    expect(body.detail[0].loc).toEqual(loc)
    if (type !== undefined) expect(body.detail[0].type).toBe(type)
    expect(text.length).toBeLessThan(200_000)
    expect(text.isWellFormed()).toBe(true)
  }
}
const asQuery = (query: unknown) =>
  `query=${encodeURIComponent(typeof query === 'string' ? query : JSON.stringify(query))}`
const ruled = (rule: object) =>
  asQuery({ combinator: 'and', rules: [{ field: 'name', operator: '=', value: 'a', ...rule }] })

describe('a filter is refused that is', () => {
  test.for<[string, string, (string | number)[], string]>([
    ['empty', '', [], 'json_invalid'],
    ['no JSON', '{"combinator":', [], 'json_invalid'],
    ['a list', '[]', [], 'model_attributes_type'],
    ['null', 'null', [], 'model_attributes_type'],
    ['too long', JSON.stringify({ combinator: 'and', rules: [], id: 'x'.repeat(100_000) }), [], 'bytes_too_long'],
    ['nested 20,000 deep', '['.repeat(20_000), [], 'bytes_too_long'],
    ['nested as deep as its length lets it', '['.repeat(filterLimits.bytes), [], 'json_invalid'],
    ['of groups in groups', `${'{"combinator":"and","rules":['.repeat(500)}${']}'.repeat(500)}`, [], 'json_invalid'],
    ['of another library', '{"condition":"AND","rules":[]}', ['combinator'], 'missing'],
    ['without rules', '{"combinator":"and"}', ['rules'], 'missing'],
    ['of rules that are none', '{"combinator":"and","rules":{}}', ['rules'], 'list_type'],
    ['joined by SQL', '{"combinator":"and 1=1) or (1","rules":[]}', ['combinator'], 'enum'],
    ['negated by a word', '{"combinator":"and","rules":[],"not":"x"}', ['not'], 'bool_type'],
    ['joined between rules', '{"combinator":"and","rules":["or"]}', ['rules', 0], 'extra_forbidden'],
    ['of a prototype', '{"combinator":"and","rules":[],"__proto__":{}}', ['__proto__'], 'extra_forbidden'],
  ])('%s', ([, query, loc, type]) => expectRefused(asQuery(query), ['query', 'query', ...loc], type))

  test.for<[string, object, string, string]>([
    ['a field of nobody', { field: 'search_text' }, 'field', 'enum'],
    ['SQL for a field', { field: "name\" = 'a' or 1=1 --" }, 'field', 'enum'],
    ['a field of the prototype', { field: 'constructor' }, 'field', 'enum'],
    ['a list for a field', { field: ['name'] }, 'field', 'enum'],
    ['SQL for an operator', { operator: '= 1; DROP TABLE tasks --' }, 'operator', 'enum'],
    ['another type for an operator', { operator: '<' }, 'operator', 'enum'],
    ['a field for a value', { valueSource: 'field', value: 'name' }, 'valueSource', 'enum'],
    ['a match on members', { match: { mode: 'all' } }, 'match', 'extra_forbidden'],
    ['a number for a text', { value: 5 }, 'value', 'string_type'],
    ['an object for a text', { value: { toString: 'x' } }, 'value', 'string_type'],
    ['a long text', { value: 'x'.repeat(501) }, 'value', 'string_too_long'],
    ['NUL', { value: 'a\0b' }, 'value', 'value_error'],
    ['half a character', { value: '\ud800' }, 'value', 'string_unicode'],
    ['a number past 2^53', { field: 'priority', value: 2 ** 53 }, 'value', 'less_than_equal'],
    ['a number past 2^31', { field: 'number', operator: '<', value: 2147483648 }, 'value', 'less_than_equal'],
    ['a number in words', { field: 'priority', value: '1; drop' }, 'value', 'int_parsing'],
    [
      'a year past 9999',
      { field: 'created_at', operator: '>', value: '99999-01-01' },
      'value',
      'datetime_from_date_parsing',
    ],
    ['no such day', { field: 'created_at', operator: '>', value: '2026-02-30' }, 'value', 'datetime_from_date_parsing'],
    ['no such id', { field: 'assignee_id', value: "' or 1=1" }, 'value', 'uuid_parsing'],
    ['no such status', { field: 'status', value: 'deleted' }, 'value', 'enum'],
    ['half a range', { field: 'priority', operator: 'between', value: '1' }, 'value', 'too_short'],
    ['a list of 501', { field: 'priority', operator: 'in', value: Array(501).fill(1) }, 'value', 'too_long'],
    ['null for a list', { field: 'priority', operator: 'in', value: null }, 'value', 'list_type'],
  ])('a rule with %s', ([, rule, member, type]) =>
    expectRefused(ruled(rule), ['query', 'query', 'rules', 0, member], type),
  )

  test('infinite, in a number JSON has no bound for', async () => {
    const text = '{"combinator":"and","rules":[{"field":"priority","operator":"=","value":1e400}]}'
    await expectRefused(asQuery(text), ['query', 'query', 'rules', 0, 'value'], 'less_than_equal')
  })

  test('of more rules than may be, or deeper', async () => {
    const rule = { field: 'priority', operator: '=', value: 1 }
    await expectRefused(
      asQuery({ combinator: 'and', rules: Array.from({ length: 51 }, () => rule) }),
      ['query', 'query'],
      'too_long',
    )
    let deep: object = { combinator: 'and', rules: [rule] }
    for (let level = 1; level < 6; level++) deep = { combinator: 'and', rules: [deep] }
    await expectRefused(
      asQuery(deep),
      ['query', 'query', ...Array.from({ length: 5 }, () => ['rules', 0]).flat()],
      'value_error',
    )
  })

  test('wrong all over, with all of it said in an answer that stays small', async () => {
    const name = 'n'.repeat(8_000)
    await expectRefused(asQuery({ combinator: 'and', rules: [], [name]: Array(800).fill('\0') }), [
      ...['query', 'query', name.slice(0, 100), 0],
    ])
    const { body } = await service.get(
      `/api/v1/tasks/board?${ruled({ field: 'x', operator: 'y', id: 'z', no: 1 })}&sort=1`,
    )
    expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'))).toEqual([
      ...['query.rules.0.field', 'query.rules.0.operator', 'query.rules.0.no', 'sort'],
    ])
  })
})

describe('a sort is refused that', () => {
  test.for<[string, string, string[], string]>([
    ['is empty', '', [], 'json_invalid'],
    ['is a word', 'name', [], 'json_invalid'],
    ['is a list', '["name",1]', [], 'model_attributes_type'],
    ['is null', 'null', [], 'model_attributes_type'],
    ['says nothing', '{}', ['field'], 'missing'],
    ['says no direction', '{"field":"name"}', ['direction'], 'missing'],
    ['has a direction in words', '{"field":"name","direction":"asc"}', ['direction'], 'literal_error'],
    ['has a direction in text', '{"field":"name","direction":"1"}', ['direction'], 'literal_error'],
    ['has no direction', '{"field":"name","direction":0}', ['direction'], 'literal_error'],
    ['has half a direction', '{"field":"name","direction":1.5}', ['direction'], 'literal_error'],
    ['is by nothing', '{"field":null,"direction":1}', ['field'], 'enum'],
    ['is by no field', '{"field":"search_text","direction":1}', ['field'], 'enum'],
    ['is by SQL', '{"field":"name; drop table tasks","direction":1}', ['field'], 'enum'],
    ['is by a prototype', '{"field":"__proto__","direction":1}', ['field'], 'enum'],
    ['is by half a character', '{"field":"\\ud800","direction":1}', ['field'], 'enum'],
    ['says more', '{"field":"name","direction":1,"nulls":"first"}', ['nulls'], 'extra_forbidden'],
    ['says it to the prototype', '{"field":"name","direction":1,"__proto__":1}', ['__proto__'], 'extra_forbidden'],
    ['is nested', '['.repeat(1_000), [], 'json_invalid'],
    ['is long', `{"field":"name","direction":1${' '.repeat(1_000)}}`, [], 'string_too_long'],
  ])('%s', ([, sort, loc, type]) => expectRefused(`sort=${encodeURIComponent(sort)}`, ['query', 'sort', ...loc], type))

  test('is by the deletion of tasks that are not deleted', async () => {
    const sort = 'sort={"field":"deleted_at","direction":1}'
    expect((await service.get(`/api/v1/tasks/board?${sort}`)).body.detail[0].loc).toEqual(['query', 'sort', 'field'])
    expect((await service.get(`/api/v1/tasks/deleted?${sort}`)).status).toBe(200)
  })
})

describe('a parameter is refused that', () => {
  test.for<[string, string, string[], string]>([
    ['is no number', 'limit=abc', ['limit'], 'int_parsing'],
    ['is empty', 'limit=', ['limit'], 'int_parsing'],
    ['is too small', 'limit=0', ['limit'], 'greater_than_equal'],
    ['is below zero', 'limit=-1', ['limit'], 'greater_than_equal'],
    ['is too large', 'limit=101', ['limit'], 'less_than_equal'],
    ['is past 2^53', 'limit=9007199254740993', ['limit'], 'less_than_equal'],
    ['is past every number', `limit=${'9'.repeat(5_000)}`, ['limit'], 'less_than_equal'],
    ['has a fraction', 'limit=1.5', ['limit'], 'int_parsing'],
    ['is hexadecimal', 'limit=0x10', ['limit'], 'int_parsing'],
    ['has other digits', `limit=${encodeURIComponent('１０')}`, ['limit'], 'int_parsing'],
    ['nobody knows', 'page=2', ['page'], 'extra_forbidden'],
    ['is spelled in another case', 'Limit=2', ['Limit'], 'extra_forbidden'],
    ['is a list', 'limit[]=2', ['limit[]'], 'extra_forbidden'],
    ['is of the prototype', '__proto__=1', ['__proto__'], 'extra_forbidden'],
    ['is a method of objects', 'toString=1', ['toString'], 'extra_forbidden'],
    ['has no name', '=1', [''], 'extra_forbidden'],
    ['holds NUL', 'search=a%00b', ['search'], 'value_error'],
    ['has NUL in its name', 'a%00b=1', ['a%00b'], 'value_error'],
    ['holds half a character', 'search=%ED%A0%80', ['search'], 'value_error'],
    ['holds bytes that are no text', 'search=%FF%FE', ['search'], 'value_error'],
    ['holds a text cut short', 'search=%F0%9F%8E', ['search'], 'value_error'],
    ['holds a longer way to write a slash', 'search=%C0%AF', ['search'], 'value_error'],
    ['is encoded by halves', 'search=100%', ['search'], 'value_error'],
    ['is encoded wrongly', 'search=%zz', ['search'], 'value_error'],
    ['is a long search', `search=${'x'.repeat(100_000)}`, ['search'], 'string_too_long'],
    ['is a long cursor', `cursor=${'x'.repeat(100_000)}`, ['cursor'], 'string_too_long'],
    ['holds SQL', "cursor='%20or%201=1--", ['cursor'], 'value_error'],
  ])('%s', ([, raw, loc, type]) => expectRefused(raw, ['query', ...loc], type))

  test('comes with a hundred others', async () => {
    await expectRefused(Array.from({ length: 101 }, (_, at) => `p${at}=1`).join('&'), ['query'], 'value_error')
  })

  test('names a column that is none', async () => {
    for (const status of ['', 'Done', 'deleted', "done'", 'backlog,done', '0']) {
      const { status: code, body } = await service.get(`/api/v1/tasks/board?status=${encodeURIComponent(status)}`)
      expect(code).toBe(422)
      expect(body.detail[0]).toMatchObject({ type: 'enum', loc: ['query', 'status'] })
    }
    const { body } = await service.get('/api/v1/tasks/deleted?status=done')
    expect(body.detail[0]).toMatchObject({ type: 'extra_forbidden', loc: ['query', 'status'] })
  })
})

test('of a repeated parameter the last counts', async () => {
  const { data } = await service.get('/api/v1/tasks/board?limit=0&limit=3')
  expect(data.tasks).toHaveLength(3)
  await expectRefused('limit=3&limit=0', ['query', 'limit'], 'greater_than_equal')
})

test('everything that is wrong with the parameters is said at once', async () => {
  const { body } = await service.get('/api/v1/tasks/deleted?limit=0&status=done&search=%00&page=1')
  const locs = body.detail.map(({ loc }: { loc: string[] }) => loc[1])
  expect(locs.toSorted()).toEqual(['limit', 'page', 'search', 'status'])
})

test('filter, sort and cursor are told together with the other parameters', async () => {
  const told = async (raw: string) => {
    const { body } = await service.get(`/api/v1/tasks/deleted?${raw}`)
    return body.detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc.slice(1).join('.')}`)
  }
  expect(await told('limit=0&sort=x&query=y&foo=1')).toEqual([
    ...['greater_than_equal limit', 'extra_forbidden foo', 'json_invalid query', 'json_invalid sort'],
  ])
  expect(await told('limit=0&cursor=x')).toEqual(['greater_than_equal limit', 'value_error cursor'])
  // This cursor is refused, since it was signed for another list. If `sort` or `search` is invalid, no cursor is checked.
  const cursor = (await service.get('/api/v1/tasks/board?limit=1')).data.meta.next_cursor
  expect(await told(`limit=0&cursor=${cursor}`)).toEqual(['greater_than_equal limit', 'value_error cursor'])
  expect(await told(`sort=x&cursor=${cursor}`)).toEqual(['json_invalid sort'])
  expect(await told(`search=${'x'.repeat(256)}&cursor=${cursor}`)).toEqual(['string_too_long search'])
  // This cursor belongs to the requested list, so only the limit is refused.
  const own = (await service.get('/api/v1/tasks/board?limit=1&search=a')).data.meta.next_cursor
  const { body } = await service.get(`/api/v1/tasks/board?search=a&cursor=${own}&limit=0`)
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['limit'])
})

describe('over a socket', () => {
  const ask = async (query: string): Promise<Response> => {
    const { server } = service.app
    if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
    const address = server.server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const headers = { authorization: `Bearer ${service.owner.token}` }
    return fetch(`http://127.0.0.1:${port}/api/v1/tasks/board?${query}`, { headers })
  }

  test('a filter of 16 KB arrives, however long its encoding', async () => {
    const padded = (id: string) => asQuery({ combinator: 'and', rules: [], id })
    const room = filterLimits.bytes - JSON.stringify({ combinator: 'and', rules: [], id: '' }).length
    expect((await ask(padded('é'.repeat(Math.floor(room / 2))))).status).toBe(200)
    expect((await ask(padded('é'.repeat(room / 2 + 1)))).status).toBe(422)
  })

  test('an address of 100 KB is refused before anyone reads it', async () => {
    const answer = await ask(`search=${'x'.repeat(100_000)}`)
    expect(answer.status).toBe(431)
    expect((await ask('limit=1')).status).toBe(200)
  })
})

describe('whatever is asked', () => {
  const table: Route[] = Object.values(routes)
  const isAnswer = ({ status }: { status: number }) =>
    (status >= 200 && status < 300) || (status >= 400 && status < 500)

  test('the feeds answer by the contract', async () => {
    const values = [
      ...['1', '24', '100', 'done', 'Äther', '%', '12', '{"field":"name","direction":1}'],
      '{"field":"priority","direction":-1}',
      JSON.stringify({ combinator: 'or', rules: [{ field: 'priority', operator: 'in', value: '1,2' }], not: true }),
      JSON.stringify({
        combinator: 'and',
        rules: [{ field: 'created_at', operator: 'between', value: ['2026-01-01', '2027-01-01'] }],
      }),
      (await service.get('/api/v1/tasks/board?limit=1')).data.meta.next_cursor,
    ]
    const text = queryText(['query', 'sort', 'limit', 'cursor', 'search', 'status'], values)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...feeds), text, async (feed, raw) => {
        const answer = await service.get(`${feed}?${raw}`)
        expect(isAnswer(answer), `${raw} ${answer.text}`).toBe(true)
      }),
      { numRuns: share(250), seed: 17 },
    )
  })

  test('every route that reads answers by the contract', async () => {
    const { task } = await makers(service).whole()
    // The response of `events` never ends; `events.test.ts` covers it.
    const reading = table.filter(({ method, framing }) => method === 'GET' && framing !== 'events')
    const text = queryText(['limit', 'cursor', 'included', 'since', 'query'], ['1', 'true', 'null', task.id])
    const id = fc.constantFrom(task.id, service.owner.id, 'x', '%00', "'", '00000000-0000-0000-0000-000000000000')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...reading), id, text, async (route, one, raw) => {
        const answer = await service.get(`${route.path.replaceAll(/\{\w+\}/g, one)}?${raw}`)
        expect(isAnswer(answer) || answer.status === 304, `${route.id} ${raw} ${answer.text}`).toBe(true)
      }),
      { numRuns: share(120), seed: 19 },
    )
  })

  const writing = table.filter(({ method, bodyMedia }) => method !== 'GET' && bodyMedia === 'application/json')

  test.for(writing.map((route) => ({ id: route.id, route })))('$id answers by the contract', async ({ route }) => {
    const { task, product, person } = await makers(service).whole()
    const creative = await makers(service).creative(task.id)
    const comment = await makers(service).comment(task.id)
    // The ids of the owner and of the token are left out, because the tests still need both.
    const ids = [task.id, creative.id, comment.id, product.id, person.id, '00000000-0000-7000-8000-000000000000', 'x']
    const named = {
      task_id: task.id,
      creative_id: creative.id,
      comment_id: comment.id,
      product_id: product.id,
      user_id: person.id,
    }
    const own = route.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => Object.entries(named).find(([known]) => known === name)?.[1] ?? 'x',
    )
    const path = fc.oneof(
      { weight: 6, arbitrary: fc.constant(own) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(...ids, '%00', '%ED%A0%80', '..%2f')
          .map((id) => route.path.replaceAll(/\{\w+\}/g, id)),
      },
    )
    const headers = fc.record(
      {
        'idempotency-key': fc.oneof(
          { weight: 5, arbitrary: fc.uuid() },
          { weight: 1, arbitrary: fc.constantFrom('k', '', 'x'.repeat(300), 'ü') },
        ),
        'if-match': fc.constantFrom('*', '*', '*', '"1"', 'W/"1"', 'x', ''),
        'content-type': fc.constantFrom(...Array(9).fill('application/json'), 'text/plain', ''),
      },
      { requiredKeys: [] },
    )
    const anything = bodyText(nearly(resolveSchema(route.body ?? {}, valuesOf(service.config.vocabulary)), ids))
    // A route that takes no body refuses any body at once, so most requests to such a route have none.
    const body = route.body
      ? anything
      : fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: anything })
    await fc.assert(
      fc.asyncProperty(path, headers, body, async (at, sent, raw) => {
        const answer = await service.ask(route.method, at, { raw, headers: sent })
        expect(isAnswer(answer), `${route.method} ${at} ${raw.slice(0, 500)} ${answer.text}`).toBe(true)
      }),
      { numRuns: share(40), seed: 23 },
    )
  })

  test('nothing that was sent has harmed the tasks', async () => {
    const { data } = await service.get('/api/v1/tasks/board?limit=100')
    expect(data.tasks.length).toBeGreaterThan(50)
  })
})
