// Facts about how runs are started over the API: every kind of start, refusals, plans and forks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeGraph, makeRun, readRun, runThrough, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()

beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

const picture = (prompt: string) =>
  definitionOf({ image: { type: 'sample.image', inputs: { prompt }, params: { width: 64, height: 64 } } })
const paid = (prompt: string) => definitionOf({ copy: { type: 'test.paid', inputs: { prompt } } })
const start = (id: string, body?: unknown) => service.post(`/api/v1/runs/${id}/start`, body)

async function exported(prompt: string, edited = prompt): Promise<Body> {
  const task = await makers(service).task()
  const { id } = await makeRun(service, picture(prompt), { pinned_task_id: task.id })
  if (edited !== prompt) await service.patch(`/api/v1/runs/${id}`, { definition: picture(edited) })
  await runThrough(service, id)
  const { status, data, text } = await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] })
  expect(status, text).toBe(200)
  return data
}

describe('POST /runs/{id}/start', () => {
  test.each([
    ['no body', undefined],
    ['null', null],
    ['an empty object', {}],
  ])('takes %s for: everything, again', async (_, body) => {
    const { id } = await makeRun(service, paid('no body'))
    await runThrough(service, id)
    const again = await start(id, body)
    expect(again.data).toMatchObject({ id, generation: 2, status: 'queued', targets: [], regenerate: [] })
    await untilStatus(service, id, 'succeeded')
  })

  test('re-queues in place from draft, succeeded, failed and cancelled, and resets what a start resets', async () => {
    provider.failOn('fails once', 1)
    const { id } = await makeRun(service, paid('fails once'))
    const failed = await runThrough(service, id)
    expect(failed).toMatchObject({ status: 'failed', generation: 1 })
    const succeeded = await runThrough(service, id)
    expect(succeeded).toMatchObject({
      id,
      status: 'succeeded',
      generation: 2,
      error: null,
      credits_consumed: 2,
      credits_total: 2,
    })
    const again = await runThrough(service, id)
    expect(again).toMatchObject({ generation: 3, credits_consumed: 0, credits_total: 2, cancel_requested: false })
  })

  test('tells who wants little of it where the run is, and sends nothing of what it made', async () => {
    const brief = (id: string, key: string) =>
      service.post(`/api/v1/runs/${id}/start`, {}, { headers: { prefer: 'return=minimal', 'idempotency-key': key } })
    const { id } = await makeRun(service, paid('brief'))
    const answer = await brief(id, 'brief-1')
    expect(answer).toMatchObject({
      status: 204,
      text: '',
      headers: { location: `/api/v1/runs/${id}`, 'preference-applied': 'return=minimal' },
    })
    await untilStatus(service, id, 'succeeded')
    expect(await brief(id, 'brief-1')).toMatchObject({ status: 204, headers: { 'idempotent-replayed': 'true' } })
    expect((await readRun(service, id)).generation).toBe(1)
    const record = await exported('brief, exported')
    const { headers } = await brief(record.id, 'brief-2')
    const forkId = String(headers.location).split('/').at(-1) ?? ''
    expect(await readRun(service, forkId)).toMatchObject({ copied_from: record.id })
  })

  test('is refused while the run is queued or running', async () => {
    provider.hold()
    const { id } = await makeRun(service, paid('busy'), { execute: true })
    const refused = await start(id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'run_busy' } })
    await expect.poll(() => provider.waiting()).toBe(1)
    expect((await service.patch(`/api/v1/runs/${id}`, { ui_state: {} })).body.code).toBe('run_busy')
    expect((await service.del(`/api/v1/runs/${id}`)).body.code).toBe('run_busy')
    provider.release()
    await untilStatus(service, id, 'succeeded')
  })

  test('asks again where it was parked', async () => {
    const { id } = await makeRun(service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 1 } } }))
    const first = await runThrough(service, id)
    const second = await runThrough(service, id)
    expect(second).toMatchObject({ status: 'awaiting_input', generation: first.generation + 1 })
    expect(second.pending_input).toEqual(first.pending_input)
  })

  test('a re-roll of a gate drops its answer', async () => {
    const { id } = await makeRun(service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 1 } } }))
    await runThrough(service, id)
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
    await untilStatus(service, id, 'succeeded')
    const run = await runThrough(service, id, { regenerate: [{ node_id: 'ok' }] })
    expect(run).toMatchObject({ status: 'awaiting_input', answers: {}, regenerate: ['ok'] })
  })

  test('forks once the run has exported, and leaves the original as it is, byte for byte', async () => {
    const original = await exported('to be forked')
    const bytes = (await service.get(`/api/v1/runs/${original.id}`)).text
    const { data: forked } = await start(original.id, { regenerate: [{ node_id: 'image' }] })
    expect(forked).toMatchObject({
      graph_id: original.graph_id,
      definition: original.definition,
      copied_from: original.id,
      seed_run_id: original.id,
      pinned_task_id: original.pinned_task_id,
      exported_at: null,
      exported_creatives: [],
      generation: 1,
      edited: false,
    })
    expect(forked.id).not.toBe(original.id)
    const run = await untilStatus(service, forked.id, 'succeeded')
    expect(run.nodes.image).toMatchObject({ status: 'succeeded', credits_consumed: 1 })
    expect((await service.get(`/api/v1/runs/${original.id}`)).text).toBe(bytes)
  })

  test('makes a fork that is promoted with a word about the graph only where that has changed since the fork', async () => {
    const { id } = (await start((await exported('of a fork', 'of a fork, edited')).id)).data
    await untilStatus(service, id, 'succeeded')
    await service.patch(`/api/v1/runs/${id}`, { definition: picture('of a fork, edited again') })
    const promote = () => service.post(`/api/v1/runs/${id}/restore`)
    const { data: graph, body } = await promote()
    expect([graph.definition, body.message]).toEqual([picture('of a fork, edited again'), null])
    await service.patch(`/api/v1/graphs/${graph.id}`, { definition: picture('somebody else was here') })
    expect((await promote()).body.message).toContain('had changed')
  })

  test('prepares without executing: rolls, targets and forks, as a draft, with nothing queued', async () => {
    const { id } = await makeRun(service, paid('prepared'))
    const before = await runThrough(service, id)
    const prepared = await start(id, { execute: false, targets: ['copy'], regenerate: [{ node_id: 'copy' }] })
    expect(prepared.data).toMatchObject({ id, status: 'draft', targets: ['copy'], regenerate: ['copy'] })
    const run = await runThrough(service, id)
    expect(run.targets).toEqual(['copy'])
    expect(run.nodes.copy.outputs).not.toEqual(before.nodes.copy.outputs)
    const fork = await start((await exported('prepared fork')).id, { execute: false })
    expect(fork.data).toMatchObject({ status: 'draft', started_at: null })
  })

  test('names every unknown node, item and run at its place', async () => {
    const { id } = await makeRun(service, paid('unknown'))
    const nowhere = '019a3c62-2d41-7b0e-8f6a-7c1d9e4b5a99'
    const { status, body } = await start(id, {
      targets: ['copy', 'nope'],
      regenerate: [{ node_id: 'gone' }, { node_id: 'copy', item: 3 }],
      from_run: nowhere,
    })
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: Body) => loc)).toEqual([
      ['body', 'targets', 1],
      ['body', 'regenerate', 0, 'node_id'],
      ['body', 'regenerate', 1, 'item'],
      ['body', 'from_run'],
    ])
  })

  test('refuses an item that no list can have', async () => {
    const { id } = await makeRun(service, paid('far off'))
    for (const item of [-1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await start(id, { regenerate: [{ node_id: 'copy', item }] })
      expect([status, body.detail?.[0]?.loc]).toEqual([422, ['body', 'regenerate', 0, 'item']])
    }
  })

  test('what is named twice is rolled once', async () => {
    const rows = definitionOf(
      {
        rows: { type: 'list.collect', inputs: { values: ['twice a', 'twice b'] } },
        copy: { type: 'test.paid', each: ['prompt'] },
      },
      'rows.list > copy.prompt',
    )
    const { id } = await makeRun(service, rows)
    await runThrough(service, id)
    const item = { node_id: 'copy', item: 1 }
    expect(await runThrough(service, id, { regenerate: [item, item] })).toMatchObject({ credits_consumed: 2 })
    const all = [{ node_id: 'copy' }, { node_id: 'copy', item: null }, item]
    expect(await runThrough(service, id, { regenerate: all })).toMatchObject({ credits_consumed: 4 })
  })

  test.each([
    ['an unknown member', { targts: [] }, ['body', 'targts'], 'extra_forbidden'],
    ['an empty node id', { regenerate: [{ node_id: '' }] }, ['body', 'regenerate', 0, 'node_id'], 'string_too_short'],
    ['a missing node id', { regenerate: [{ item: 1 }] }, ['body', 'regenerate', 0, 'node_id'], 'missing'],
    [
      'an item that is text',
      { regenerate: [{ node_id: 'copy', item: '1' }] },
      ['body', 'regenerate', 0, 'item'],
      'int_type',
    ],
  ])('refuses %s', async (_, body, loc, type) => {
    const { id } = await makeRun(service, paid('shape'))
    const answer = await start(id, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ loc, type })
    expect((await readRun(service, id)).generation).toBe(0)
  })

  test('refuses a definition that is not right, with the place of everything wrong', async () => {
    const broken = definitionOf({ a: { type: 'no.such', version: 1 }, b: { type: 'test.paid' } })
    const { id } = await makeRun(service, broken)
    const { status, body } = await start(id)
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: Body) => loc)).toEqual([
      ['definition', 'nodes', 'a', 'type'],
      ['definition', 'nodes', 'b', 'inputs', 'prompt'],
    ])
  })

  test('seeds a run from another, with its rolls and answers', async () => {
    const first = await makeRun(service, paid('seeded'))
    await runThrough(service, first.id)
    const rolled = await runThrough(service, first.id, { regenerate: [{ node_id: 'copy' }] })
    const second = await makeRun(service, paid('seeded'), { from_run: first.id })
    const run = await runThrough(service, second.id)
    expect(run.nodes.copy).toMatchObject({ status: 'cached', outputs: rolled.nodes.copy.outputs })
    expect(run.seed_run_id).toBe(first.id)
  })

  test('the same Idempotency-Key starts once', async () => {
    const { id } = await makeRun(service, paid('idempotent'))
    const headers = { 'idempotency-key': 'start-once' }
    const answers = await Promise.all([1, 2, 3].map(() => service.post(`/api/v1/runs/${id}/start`, {}, { headers })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await untilStatus(service, id, 'succeeded')).generation).toBe(1)
  })

  test('of many starts at once one wins', async () => {
    const { id } = await makeRun(service, paid('raced'))
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(id)))
    const codes = answers.map(({ status, body }) => (status === 200 ? 'started' : body.code))
    expect(codes).toContain('started')
    expect(new Set(codes)).toEqual(new Set(codes.length > 1 ? ['started', 'run_busy'] : ['started']))
    await untilStatus(service, id, 'succeeded')
  })
})

describe('POST /runs/{id}/plan', () => {
  test('tells what is cached, free, paid, asked and unknown, and pays nothing', async () => {
    const definition = definitionOf(
      {
        rows: { type: 'list.collect', inputs: { values: ['plan a', 'plan b', 'plan c'] } },
        copy: { type: 'test.paid', each: ['prompt'] },
        pick: { type: 'gate.choose' },
        more: { type: 'test.paid', each: ['prompt'] },
      },
      'rows.list > copy.prompt',
      'copy.text > pick.options',
      'pick.chosen > more.prompt',
    )
    const { id } = await makeRun(service, definition)
    const before = provider.calls.length
    const fresh = await service.post(`/api/v1/runs/${id}/plan`)
    expect(fresh.data.nodes).toMatchObject({
      rows: { outcome: 'free', calls: 1 },
      copy: { outcome: 'paid', calls: 3, cached: 0, credits: { least: 6, most: 6 } },
      pick: { outcome: 'unknown', calls: null },
      more: { outcome: 'unknown', calls: null, credits: { least: 0, most: null } },
    })
    expect(provider.calls).toHaveLength(before)
    await runThrough(service, id)
    const rolled = await service.post(`/api/v1/runs/${id}/plan`, { regenerate: [{ node_id: 'copy', item: 0 }] })
    expect(rolled.data.nodes.copy).toMatchObject({
      outcome: 'paid',
      calls: 3,
      cached: 2,
      credits: { least: 2, most: 2 },
    })
    const again = await service.post(`/api/v1/runs/${id}/plan`)
    expect(again.data.nodes).toMatchObject({ copy: { outcome: 'cached' }, pick: { outcome: 'asks' } })
    expect(again.data.credits.least).toBe(0)
  })
})

describe('runs and their graphs', () => {
  test('a run keeps its own copy when its graph changes', async () => {
    const graph = await makeGraph(service, paid('own copy'))
    const { data: run } = await service.post(`/api/v1/graphs/${graph.id}/runs`, {})
    await service.patch(`/api/v1/graphs/${graph.id}`, { definition: paid('other') })
    expect((await readRun(service, run.id)).definition).toEqual(graph.definition)
  })

  test('a deleted graph makes no runs, but its runs go on; a fork of them is refused', async () => {
    const run = await exported('graph to be deleted')
    await service.del(`/api/v1/graphs/${run.graph_id}`)
    expect((await service.post(`/api/v1/graphs/${run.graph_id}/runs`, {})).body.code).toBe('graph_deleted')
    expect((await start(run.id)).body.code).toBe('graph_deleted')
    expect((await readRun(service, run.id)).status).toBe('succeeded')
  })

  test('the list is searched by the names of graphs, in any case, and over its pages', async () => {
    const [one, two, other] = await Promise.all(
      ['Sought Über', 'sought ÜBER too', 'Unlike'].map((name) => makeGraph(service, paid(name), name)),
    )
    const made: string[] = []
    for (const graph of [one, two, other, one]) {
      made.push((await service.post(`/api/v1/graphs/${graph?.id}/runs`, {})).data.id)
    }
    const found = async (query: string) => (await service.get(`/api/v1/runs?${query}`)).data
    const ids = ({ items }: Body) => items.map(({ id }: Body) => id)
    const search = `search=${encodeURIComponent('OUGHT über')}`
    expect(ids(await found(search))).toEqual([made[3], made[1], made[0]])
    const first = await found(`${search}&limit=2`)
    const rest = await found(`${search}&limit=2&cursor=${first.meta.next_cursor}`)
    expect([ids(first), ids(rest)]).toEqual([[made[3], made[1]], [made[0]]])
    expect(ids(await found('search=%25'))).toEqual([])
    expect((await service.get(`/api/v1/runs?limit=2&cursor=${first.meta.next_cursor}`)).status).toBe(422)
  })

  test('the list filters by graph, task and status, newest first', async () => {
    const task = await makers(service).task()
    const graph = await makeGraph(service, paid('listed'))
    const made: string[] = []
    for (const body of [{ task_id: task.id }, { pinned_task_id: task.id }, {}]) {
      made.push((await service.post(`/api/v1/graphs/${graph.id}/runs`, body)).data.id)
    }
    const ids = async (query: string) =>
      (await service.get(`/api/v1/runs?${query}`)).data.items.map(({ id }: Body) => id)
    expect(await ids(`graph_id=${graph.id}`)).toEqual(made.toReversed())
    expect(await ids(`task_id=${task.id}`)).toEqual([made[1], made[0]])
    expect(await ids(`graph_id=${graph.id}&status=succeeded`)).toEqual([])
    await service.del(`/api/v1/runs/${made[0]}`)
    expect(await ids(`graph_id=${graph.id}`)).toEqual([made[2], made[1]])
    expect(await ids(`graph_id=${graph.id}&deleted=true`)).toEqual([made[0]])
    const undeleted = await service.post(`/api/v1/runs/${made[0]}/undelete`)
    expect(undeleted.data.deleted_at).toBeNull()
    await until(service, made[0] ?? '', (run) => run.deleted_at === null)
  })
})
