// Facts about the shape of GraphRun: every member is present with its type, and its value is right at each stage.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, utc } from '../support/make.ts'
import { makeRun, readRun, runThrough, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'
import { faultsIn } from '../support/wire-tables.ts'

let service: Service
const provider = createProvider()
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

/** Two paid texts, of which a person picks one. */
const picking = (label: string) =>
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: [`${label} a`, `${label} b`] } },
      copy: { type: 'test.paid', each: ['prompt'] },
      pick: { type: 'gate.choose', params: { title: 'Pick' } },
    },
    'rows.list > copy.prompt',
    'copy.text > pick.options',
  )

describe('GraphRun', () => {
  test('every member is there with its type, in every status', async () => {
    const { id } = await makeRun(service, picking('shape'))
    const stages = [await readRun(service, id), await runThrough(service, id)]
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [0] } })
    stages.push(await untilStatus(service, id, 'succeeded'))
    expect(stages.map(({ status }) => status)).toEqual(['draft', 'awaiting_input', 'succeeded'])
    for (const run of stages) expect(faultsIn('GraphRun', run), run.status).toEqual([])
  })

  test('a draft has the defaults of the contract', async () => {
    const task = await makers(service).task()
    const run = await makeRun(service, picking('draft'), {
      task_id: task.id,
      pinned_task_id: task.id,
      targets: ['copy'],
    })
    expect(run).toMatchObject({
      status: 'draft',
      nodes: {},
      error: null,
      targets: ['copy'],
      credits_consumed: 0,
      credits_total: 0,
      cancel_requested: false,
      cancel_requested_at: null,
      answers: {},
      pending_input: null,
      regenerate: [],
      seed_run_id: null,
      pinned_task_id: task.id,
      task_id: task.id,
      edited: false,
      copied_from: null,
      exported_at: null,
      exported_creatives: [],
      produced_at: null,
      generation: 0,
      owner_id: service.owner.id,
      started_at: null,
      finished_at: null,
      heartbeat_at: null,
      deleted_at: null,
    })
    expect(run.created_at).toMatch(utc)
    expect(run.forked_signature).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a parked run shows its question, its first open one, and has no worker', async () => {
    const run = await runThrough(service, (await makeRun(service, picking('parked'))).id)
    expect(faultsIn('PendingInput', run.pending_input)).toEqual([])
    expect(run.pending_input).toMatchObject({ node_id: 'pick', item_index: null, item_count: null })
    expect(run.pending_input.request).toEqual(run.nodes.pick.checkpoint.request)
    expect(run).toMatchObject({ heartbeat_at: null, finished_at: null, credits_consumed: 4 })
    expect(run.nodes.rows).toMatchObject({ status: 'succeeded', progress: 1, items: {}, error: '' })
  })

  test('a run under way shows its start, its heart, and which of its nodes and items run', async () => {
    provider.hold()
    const { id } = await makeRun(service, picking('alive'), { execute: true })
    const run = await until(service, id, ({ nodes }) => nodes.copy?.items?.[1]?.status === 'running')
    expect(run).toMatchObject({ status: 'running', finished_at: null, produced_at: null })
    expect(run.started_at).toMatch(utc)
    expect(run.heartbeat_at).toMatch(utc)
    expect(run.nodes).toMatchObject({
      rows: { status: 'succeeded' },
      copy: { status: 'running', progress: 0 },
      pick: { status: 'pending' },
    })
    expect(run.nodes.pick.started_at).toBeUndefined()
    provider.release()
    await untilStatus(service, id, 'awaiting_input')
  })

  test('what a generation consumed and what was paid in all are told apart, and a re-roll is named until it is done', async () => {
    const { id } = await makeRun(service, picking('paid twice'))
    await runThrough(service, id)
    provider.hold()
    await service.post(`/api/v1/runs/${id}/start`, { regenerate: [{ node_id: 'copy', item: 1 }] })
    const rolling = await until(
      service,
      id,
      ({ status, nodes }) => status === 'running' && nodes.copy.items[1]?.status === 'running',
    )
    expect(rolling.regenerate).toEqual(['copy/1'])
    provider.release()
    const run = await untilStatus(service, id, 'awaiting_input')
    expect(run).toMatchObject({ generation: 2, regenerate: [], credits_consumed: 2, credits_total: 6 })
    expect(run.nodes.copy.items[0]).toMatchObject({ status: 'cached', credits_consumed: 0 })
  })

  test('a re-roll of all items of a node, or of a gate, is named until it is done', async () => {
    const two = definitionOf(
      {
        rows: { type: 'list.collect', inputs: { values: ['all a', 'all b'] } },
        copy: { type: 'test.paid', each: ['prompt'] },
        ok: { type: 'gate.approve', each: ['value'] },
      },
      'rows.list > copy.prompt',
      'copy.text > ok.value',
    )
    const { id } = await makeRun(service, two)
    await runThrough(service, id)
    const regenerate = [{ node_id: 'copy' }]
    expect(await runThrough(service, id, { regenerate })).toMatchObject({ regenerate: [], credits_consumed: 4 })
    const asked = await runThrough(service, id, { regenerate: [0, 1].map((item) => ({ node_id: 'ok', item })) })
    expect(asked.regenerate).toEqual(['ok/0', 'ok/1'])
    const answer = { node_id: 'ok', item: 0, answer: { approved: true } }
    expect((await service.post(`/api/v1/runs/${id}/answers`, answer)).data.regenerate).toEqual(['ok/1'])
  })

  test('edited tells whether the definition differs from the one that was copied', async () => {
    const { id, definition } = await makeRun(service, picking('edited'))
    expect((await service.patch(`/api/v1/runs/${id}`, { definition: picking('changed') })).data.edited).toBe(true)
    expect((await service.patch(`/api/v1/runs/${id}`, { definition })).data.edited).toBe(false)
    expect((await service.patch(`/api/v1/runs/${id}`, { ui_state: { x: 1 } })).data.edited).toBe(false)
  })

  test('a deleted run is undeleted inside the retention window, and refuses everything else', async () => {
    const { id } = await makeRun(service, picking('deleted'))
    const { data } = await service.del(`/api/v1/runs/${id}`)
    expect(data.deleted_at).toMatch(utc)
    expect((await service.del(`/api/v1/runs/${id}`)).data.deleted_at).toBe(data.deleted_at)
    for (const [path, body] of [
      ['start', {}],
      ['cancel', undefined],
      ['answers', { node_id: 'pick', answer: 1 }],
      ['history/restore', { at: data.deleted_at }],
      ['export', { outputs: [{ node_id: 'pick' }] }],
    ] as const) {
      expect((await service.post(`/api/v1/runs/${id}/${path}`, body)).body, path).toMatchObject({
        code: 'run_deleted',
        detail: expect.stringContaining('is deleted; undelete it'),
      })
    }
    expect((await service.post(`/api/v1/runs/${id}/undelete`)).data.deleted_at).toBeNull()
    await service.del(`/api/v1/runs/${id}`)
    await service.rows(`update runs set deleted_at = now() - interval '31 days' where id = $1`, [id])
    expect((await service.get(`/api/v1/runs/${id}`)).status).toBe(404)
    expect((await service.post(`/api/v1/runs/${id}/undelete`)).body.code).toBe('retention_over')
  })

  test('a request for one node answers what changed of it since, and nothing where nothing did', async () => {
    const { id } = await makeRun(service, picking('since'))
    await runThrough(service, id)
    const all = await service.get(`/api/v1/runs/${id}/nodes/copy`)
    expect(all.data).toMatchObject({ whole: true, node: { status: 'succeeded', item_count: 2, credits_consumed: 4 } })
    expect(Object.keys(all.data.node.items)).toEqual(['0', '1'])
    const nothing = await service.get(`/api/v1/runs/${id}/nodes/copy?since=${all.data.since}`)
    expect(nothing.data).toEqual({ whole: false, node: null, since: all.data.since })
    expect((await service.get(`/api/v1/runs/${id}/nodes/nope`)).status).toBe(404)
  })

  test('a run that is gone answers 404 on every route of it', async () => {
    const nowhere = '019a3c62-2d41-7b0e-8f6a-7c1d9e4b5a99'
    const answers: Body[] = []
    for (const path of ['start', 'plan', 'cancel', 'undelete', 'restore'])
      answers.push(await service.post(`/api/v1/runs/${nowhere}/${path}`))
    for (const path of ['', '/changes', '/history']) answers.push(await service.get(`/api/v1/runs/${nowhere}${path}`))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404))
  })
})
