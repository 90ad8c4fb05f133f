// Facts about money: the costs in a plan, the costs in the ledger, and which amount counts while the real cost is unknown.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLedgerCalls } from '../../src/features/money/ledger-calls.ts'
import { readMoney } from '../../src/features/money/store.ts'
import { withCreditPrice } from '../../src/nodes/credit-price.ts'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, runThrough } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
beforeAll(async () => {
  const types = testNodes(provider)
  // `test.by_money` has the price that every node type has with `ATELIER_CREDIT_PRICE=15000` (millionths for each credit).
  const byMoney = types.flatMap((type) =>
    type.type === 'test.priced' ? [{ ...withCreditPrice(type, 15_000), type: 'test.by_money' }] : [],
  )
  service = await startService({}, undefined, [...types, ...byMoney])
  await service.app.worker.start()
})
afterAll(() => service.close())

const asking = (prompt: string, params: object = {}) =>
  definitionOf({ copy: { type: 'test.priced', inputs: { prompt }, params } })
const each = (prompts: readonly string[], params: object = {}) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: [...prompts] } },
      copy: { type: 'test.priced', params, each: ['prompt'] },
    },
    'list.list > copy.prompt',
  )
const entriesOf = (id: string) =>
  service.rows(
    `select outcome, model, currency, planned_least::float8, planned_most::float8, amount::float8, amount_by, counted::float8
     from credit_entries where run_id = $1 order by item`,
    [id],
  )
const plain = { 'content-type': 'text/plain' }
const countedOf = async (id: string) =>
  (await service.rows('select counted::float8, currency from run_costs where run_id = $1', [id]))[0]

test('a plan says what is paid beside credits; what is cached costs nothing', async () => {
  const { id } = await makeRun(service, each(['one', 'two', 'three']))
  const { data } = await service.post(`/api/v1/runs/${id}/plan`)
  const money = { least: 120_000, most: 120_000, unpriced: [] }
  expect(data.money).toEqual({ currency: 'USD', ...money })
  expect(data.nodes.copy).toMatchObject({ calls: 3, credits: { least: 6, most: 6 }, money })
  await runThrough(service, id)
  const again = await service.post(`/api/v1/runs/${id}/plan`)
  expect(again.data.money).toEqual({ currency: 'USD', least: 0, most: 0, unpriced: [] })
})

test('a call that several nodes share is paid once: it counts once at least, and for each of them at most', async () => {
  const copy = (prompt: string) => ({ type: 'test.priced', inputs: { prompt } })
  const { id } = await makeRun(service, definitionOf({ a: copy('same'), b: copy('same'), c: copy('other') }))
  const { data } = await service.post(`/api/v1/runs/${id}/plan`)
  expect(data.credits).toEqual({ least: 4, most: 6 })
  expect(data.money).toMatchObject({ least: 80_000, most: 120_000 })
  expect(['a', 'b', 'c'].map((node) => data.nodes[node].calls)).toEqual([1, 1, 1])
  const paid = { status: 'succeeded', credits_consumed: 4 }
  expect(await runThrough(service, id, { max_cost: 80_000 })).toMatchObject(paid)
  const again = { regenerate: [{ node_id: 'a' }, { node_id: 'b' }] }
  expect((await service.post(`/api/v1/runs/${id}/plan`, again)).data.money).toMatchObject({ least: 80_000 })
})

test('an unknown price is said, with its model, and has no most', async () => {
  const { id } = await makeRun(service, asking('new', { model: 'test:new', least: 0, most: -1, known: false }))
  const { data } = await service.post(`/api/v1/runs/${id}/plan`)
  expect(data.money).toEqual({ currency: 'USD', least: 0, most: null, unpriced: ['test:new'] })
})

test('the ledger keeps what was planned and what was paid', async () => {
  const { id } = await makeRun(service, asking('range', { least: 0, most: 90_000, amount: 33_123 }))
  await runThrough(service, id)
  expect(await entriesOf(id)).toEqual([
    {
      ...{ outcome: 'charged', model: 'test:painter', currency: 'USD', planned_least: 0, planned_most: 90_000 },
      ...{ amount: 33_123, amount_by: 'usage', counted: 33_123 },
    },
  ])
  expect(await countedOf(id)).toEqual({ counted: 33_123, currency: 'USD' })
})

test('where a credit has a price, plans and the ledger have credits by what calls cost', async () => {
  const of = (params: object) => definitionOf({ copy: { type: 'test.by_money', inputs: { prompt: 'money' }, params } })
  const { id } = await makeRun(service, of({}))
  expect((await service.post(`/api/v1/runs/${id}/plan`)).data.credits).toEqual({ least: 3, most: 3 })
  expect(await runThrough(service, id)).toMatchObject({ credits_consumed: 3 })
  const dear = await makeRun(service, of({ least: 0, most: 90_000, amount: 61_000 }))
  expect((await service.post(`/api/v1/runs/${dear.id}/plan`)).data.credits).toEqual({ least: 0, most: 6 })
  expect(await runThrough(service, dear.id)).toMatchObject({ credits_consumed: 5 })
  const entries = await service.rows('select credits, amount::float8 from credit_entries where run_id = $1', [dear.id])
  expect(entries).toEqual([{ credits: 5, amount: 61_000 }])
})

test('where nobody says what was paid, the most counts', async () => {
  const { id } = await makeRun(service, asking('silent', { least: 0, most: 90_000, amount: -1 }))
  await runThrough(service, id)
  expect(await entriesOf(id)).toMatchObject([{ outcome: 'charged', amount: null, counted: 90_000 }])
  expect(await countedOf(id)).toMatchObject({ counted: 90_000 })
})

test.each([
  ['cost nothing', () => new NodeFailure('The provider refused it.'), 'free', 0, 0],
  ['may have been paid', () => new NodeFailure('Cut off.', { outcome: 'unknown' }), 'unknown', null, 40_000],
  ['was paid', () => new NodeFailure('Of no use. It was paid for.', { credits: 2 }), 'charged', 40_000, 40_000],
] as const)('a failure that %s', async (word, failure, outcome, amount, counted) => {
  provider.failOn(word, 1, failure)
  const { id } = await makeRun(service, asking(word))
  await runThrough(service, id)
  expect(await entriesOf(id)).toMatchObject([{ outcome, amount, counted }])
  expect(await countedOf(id)).toMatchObject({ counted })
})

test('what was spent is put together by what people ask about, and the run says it beside its plan', async () => {
  const { id } = await makeRun(
    service,
    asking('spent', { model: 'test:dear', least: 0, most: 500_000, amount: 300_000 }),
  )
  await runThrough(service, id)
  const costs = { calls: 1, planned_most: 500_000, amount: 300_000, at_most: 300_000 }
  expect((await service.get(`/api/v1/runs/${id}/costs`)).data).toEqual({
    ...{ currency: 'USD', max_cost: null, planned_least: 0 },
    ...costs,
  })
  const by = async (group: string) => (await service.get(`/api/v1/spend?by=${group}`)).data
  const planned = { planned_known: 500_000, calls_unplanned: 0 }
  expect((await by('model')).rows).toContainEqual({ key: 'test:dear', name: 'test:dear', ...costs, ...planned })
  expect((await by('run')).rows).toContainEqual({ key: id, name: 'A graph', ...costs, ...planned })
  expect((await by('person')).rows).toMatchObject([{ key: service.owner.id }])
  const [month, ...others] = (await by('month')).rows
  expect([month.key, others]).toEqual([expect.stringMatching(/^\d{4}-\d\d$/), []])
  for (const group of ['task', 'product']) {
    expect((await by(group)).rows).toEqual([{ ...month, key: null, name: null }])
  }
})

test('where nobody could say of some calls what they cost at most, spending has the sum of the others and the number of these', async () => {
  const model = 'test:sometimes'
  const known = await makeRun(service, asking('sum', { model, least: 0, most: 90_000, amount: 33_123 }))
  const unknown = await makeRun(service, asking('no sum', { model, least: 0, most: -1, amount: 10_000 }))
  for (const { id } of [known, unknown]) await runThrough(service, id)
  const { rows } = (await service.get('/api/v1/spend?by=model')).data
  const planned = { planned_most: null, planned_known: 90_000, calls_unplanned: 1 }
  expect(rows).toContainEqual(expect.objectContaining({ key: model, calls: 2, amount: 43_123, ...planned }))
})

test('what a run cost is said in the currency of today’s prices alone, as are all sums', async () => {
  const { id } = await makeRun(service, asking('in another currency'))
  await runThrough(service, id, { max_cost: 50_000 })
  const costs = async () => (await service.get(`/api/v1/runs/${id}/costs`)).data
  expect(await costs()).toMatchObject({ currency: 'USD', calls: 1, amount: 40_000, max_cost: 50_000 })
  await service.rows(`update credit_entries set currency = 'EUR' where run_id = $1`, [id])
  await service.rows(`update run_costs set currency = 'EUR' where run_id = $1`, [id])
  expect(await costs()).toMatchObject({ currency: 'USD', calls: 0, amount: 0, at_most: 0, max_cost: null })
})

test('what was spent is read page by page, between days and for one task', async () => {
  for (const [at, model] of ['test:a', 'test:b', 'test:c'].entries()) {
    const { id } = await makeRun(service, asking(`page ${at}`, { model }))
    await runThrough(service, id)
  }
  const all = (await service.get('/api/v1/spend?by=model')).data.rows
  const pages: Body[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data } = await service.get(`/api/v1/spend?by=model&limit=1${cursor && `&cursor=${cursor}`}`)
    pages.push(...data.rows)
    cursor = data.next_cursor
  }
  expect(pages).toEqual(all)
  expect((await service.get('/api/v1/spend?by=model&to=2020-01-01')).data.rows).toEqual([])
  expect((await service.get('/api/v1/spend?by=model&from=0001-01-01&to=9999-12-31')).data.rows).toEqual(all)
  for (const nothing of [service.owner.id, 'zz']) {
    expect((await service.get(`/api/v1/spend?by=model&task_id=${nothing}`)).data).toMatchObject({
      rows: [],
      next_cursor: null,
    })
  }
  for (const day of ['2026-02-30', '2026-13-01', '0000-01-01']) {
    expect((await service.get(`/api/v1/spend?by=model&from=${day}`)).status, day).toBe(422)
  }
})

test('creatives share what their runs cost, to the last millionth, with what nobody chose', async () => {
  const { data: task } = await service.post('/api/v1/tasks', { name: 'Glow serum' })
  const { id } = await makeRun(service, asking('shared', { least: 0, most: 100_000, amount: 100_000 }))
  await runThrough(service, id)
  const names: string[] = []
  for (const node of ['a', 'b', 'c']) {
    const { data } = await service.post(`/api/v1/tasks/${task.id}/creatives`, {})
    names.push(data.name)
    await service.rows(
      `insert into exports (run_id, task_id, node_id, port, item, creative_id, at) values ($1, $2, $3, 'out', '', $4, now())`,
      [id, task.id, node, data.id],
    )
  }
  const { rows } = (await service.get('/api/v1/spend?by=creative')).data
  const shared: Body[] = rows.filter(({ name }: Body) => names.includes(name))
  expect(shared.map(({ amount }) => amount)).toEqual([33_334, 33_333, 33_333])
  const total = (spent: Body[]): number => spent.reduce((sum, { amount }) => sum + amount, 0)
  expect(total(rows)).toBe(total((await service.get('/api/v1/spend?by=month')).data.rows))
  expect(rows.filter(({ key }: Body) => key === null)).toHaveLength(1)
})

test('what a take cost counts for its creative once it is used', async () => {
  const { data: task } = await service.post('/api/v1/tasks', { name: 'Retaken' })
  const { digest } = (await service.ask('POST', '/api/v1/files', { raw: Buffer.from('x'), headers: plain })).data
  const { data: creative } = await service.post(`/api/v1/tasks/${task.id}/creatives`, { file: digest })
  for (const state of ['used', 'dismissed']) {
    const { id } = await makeRun(service, asking(state, { least: 0, most: 70_000, amount: 70_000 }))
    await runThrough(service, id)
    const said = await service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'Warmer' })
    await service.rows(
      `insert into review_takes (id, comment_id, creative_id, run_id, node_id, port, state)
       values ($1, $2, $3, $4, 'copy', 'out', $5)`,
      [randomUUID(), said.data.id, creative.id, id, state],
    )
  }
  const { rows } = (await service.get('/api/v1/spend?by=creative')).data
  expect(rows.filter(({ key }: Body) => key === creative.id)).toMatchObject([{ name: creative.name, amount: 70_000 }])
  const total = (spent: Body[]): number => spent.reduce((sum, { amount }) => sum + amount, 0)
  expect(total(rows)).toBe(total((await service.get('/api/v1/spend?by=month')).data.rows))
})

test('the ledger’s calls of a provider are read for a comparison, also those that were free', async () => {
  const from = Date.now() - 3_600_000
  const asked = { provider: 'test', currency: 'USD', span: { from, to: Date.now() + 3_600_000 }, ids: [] }
  const { id } = await makeRun(service, asking('compared', { least: 0, most: 90_000, amount: 33_123 }))
  await runThrough(service, id)
  const calls = await readLedgerCalls(service.database.main, asked)
  const own = calls.find(({ run_id }) => run_id === id)
  expect(own).toMatchObject({ model: 'test:painter', outcome: 'charged', amount: 33_123 })
  expect([(own?.begun ?? 0) > from, (own?.ended ?? 0) >= (own?.begun ?? 0)]).toEqual([true, true])
  expect(await readLedgerCalls(service.database.main, { ...asked, provider: 'tes' })).toEqual([])
  // Of another time a call is read only if the export names it; what else it names is no call.
  const longAgo = { ...asked, span: { from: 0, to: 1 } }
  expect(await readLedgerCalls(service.database.main, longAgo)).toEqual([])
  expect(await readLedgerCalls(service.database.main, { ...longAgo, ids: ['req_1', own?.id ?? ''] })).toEqual([own])
})

test('what is spent and held of budgets is read by as many statements, however many budgets there are', async () => {
  const [ada, bob] = [await service.person('writer'), await service.person('writer')]
  const { id: runId } = await makeRun(service, asking('waits'))
  await service.rows(`update runs set status = 'awaiting_input' where id = $1`, [runId])
  const thisMonth = new Date().toISOString().slice(0, 7)
  for (const [run, person, month, currency, reserved, counted] of [
    [runId, ada.id, thisMonth, 'XTS', 100, 40],
    [randomUUID(), ada.id, '2020-01', 'XTS', 9, 5],
    [randomUUID(), bob.id, thisMonth, 'XTS', 3, 2],
    [randomUUID(), bob.id, thisMonth, 'XBA', 1000, 1000],
  ])
    await service.rows(
      `insert into run_costs (run_id, generation, person_id, month, currency, reserved, counted)
       values ($1, (select coalesce(max(generation), 0) from runs where id = $1), $2, $3, $4, $5, $6)`,
      [run, person, month, currency, reserved, counted],
    )
  const addBudget = (person: string | null, period: string) =>
    service.rows(
      `insert into budgets (id, person_id, period, amount, currency) values (gen_random_uuid(), $1, $2, 1000, 'XTS')`,
      [person, period],
    )
  const read = async () => {
    let statements = 0
    const counting = service.database.main.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { budgets } = await readMoney(counting, 'XTS')
    return { statements, budgets: budgets.map((one) => [one.person_id, one.period, one.spent, one.held]) }
  }
  await addBudget(null, 'month')
  const { statements } = await read()
  await addBudget(null, 'always')
  for (const { id } of [ada, bob]) for (const period of ['month', 'always']) await addBudget(id, period)
  const all = await read()
  await service.rows(`delete from budgets where currency = 'XTS'`)
  await service.rows(`update runs set status = 'cancelled' where id = $1`, [runId])
  expect(all.statements).toBe(statements)
  expect(all.budgets).toHaveLength(6)
  expect(all.budgets).toEqual(
    expect.arrayContaining([
      [null, 'always', 47, 60],
      [null, 'month', 42, 60],
      [ada.id, 'always', 45, 60],
      [ada.id, 'month', 40, 60],
      [bob.id, 'always', 2, 0],
      [bob.id, 'month', 2, 0],
    ]),
  )
})

test('spending of one run is that of all its starts, and of no other run', async () => {
  const { id } = await makeRun(service, asking('first start'))
  await runThrough(service, id)
  await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
  await runThrough(service, (await makeRun(service, asking('another run'))).id)
  const { data: present } = await service.get(`/api/v1/runs/${id}/costs`)
  expect(present).toMatchObject({ calls: 1, amount: 40_000 })
  const { data } = await service.get(`/api/v1/spend?by=run&run_id=${id}`)
  expect(data.rows).toMatchObject([{ key: id, calls: 2, amount: 80_000 }])
  for (const none of ['no-id', randomUUID()])
    expect((await service.get(`/api/v1/spend?by=run&run_id=${none}`)).data.rows).toEqual([])
})

test('a page of the spending of a run is not one of other spending', async () => {
  const { id } = await makeRun(service, asking('two models', { model: 'test:one' }))
  await runThrough(service, id)
  const { data } = await service.get('/api/v1/spend?by=run&limit=1')
  expect(data.next_cursor).not.toBeNull()
  const cursor = encodeURIComponent(data.next_cursor)
  expect((await service.get(`/api/v1/spend?by=run&limit=1&run_id=${id}&cursor=${cursor}`)).status).toBe(422)
})

test('months of spending are in the order of time, the newest first, over all pages', async () => {
  const first = await makeRun(service, asking('of this month'))
  await runThrough(service, first.id)
  const { rows: before } = (await service.get('/api/v1/spend?by=month')).data
  for (const [months, calls] of [
    [1, 3],
    [2, 1],
    [13, 2],
  ] as const)
    for (let at = 0; at < calls; at++) {
      const { id } = await makeRun(service, asking(`${at} of ${months} months ago`))
      await runThrough(service, id)
      await service.rows(`update credit_entries set at = at - make_interval(months => $2) where run_id = $1`, [
        id,
        months,
      ])
    }
  const keys: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { data } = await service.get(`/api/v1/spend?by=month&limit=2${more}`)
    keys.push(...data.rows.map(({ key }: { key: string }) => key))
    cursor = data.next_cursor
  }
  expect(keys).toHaveLength(before.length + 3)
  expect(keys).toEqual(keys.toSorted().toReversed())
})
