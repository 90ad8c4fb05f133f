// Facts about what a run leaves behind: creatives on tasks with their origin, checkpoints, and a new version of its graph.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

const pictures = (...prompts: string[]) =>
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: prompts } },
      image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    },
    'rows.list > image.prompt',
  )
const exportTo = (id: string, body: object) => service.post(`/api/v1/runs/${id}/export`, body)
const history = async (id: string): Promise<Body[]> => (await service.get(`/api/v1/runs/${id}/history`)).data.items

describe('POST /runs/{id}/export', () => {
  test('puts files on a card as creatives with canonical names, and says what made them', async () => {
    const task = await makers(service).task({ name: 'Export', count: 2 })
    const { id } = await makeRun(service, pictures('one', 'two'))
    const made = await runThrough(service, id)
    const { data: run } = await exportTo(id, { task_id: task.id, outputs: [{ node_id: 'image' }] })
    expect(run.exported_creatives).toHaveLength(2)
    expect(run.exported_at).not.toBeNull()
    const creatives = (await service.get(`/api/v1/tasks/${task.id}/creatives`)).data.items
    expect(creatives.map(({ file }: Body) => file).toSorted()).toEqual(
      made.nodes.image.outputs.image.map(({ digest }: Body) => digest).toSorted(),
    )
    const card = (await service.get(`/api/v1/tasks/${task.id}`)).data
    expect(card.planned_creatives_done).toEqual(card.planned_creative_names)
    const { data } = await service.get(`/api/v1/creatives/${run.exported_creatives[0]}/provenance`)
    expect(data).toMatchObject({
      run_id: id,
      graph_id: run.graph_id,
      generation: 1,
      node_id: 'image',
      node_type: 'sample.image',
      port: 'image',
      item: 0,
      params: { width: 64, height: 64 },
      inputs: { prompt: 'one' },
      credits: 1,
    })
  })

  test('says what made a file also where targets have been set for the next start', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('aimed elsewhere'), { pinned_task_id: task.id })
    await runThrough(service, id)
    await service.patch(`/api/v1/runs/${id}`, { targets: ['rows'] })
    const { data: run } = await exportTo(id, { outputs: [{ node_id: 'image' }] })
    const { data } = await service.get(`/api/v1/creatives/${run.exported_creatives[0]}/provenance`)
    expect(data.inputs).toEqual({ prompt: 'aimed elsewhere' })
  })

  test('the same output on the same task is the same creative; another task gets its own', async () => {
    const [one, two] = [await makers(service).task(), await makers(service).task()]
    const { id } = await makeRun(service, pictures('repeat'), { pinned_task_id: one.id })
    await runThrough(service, id)
    const first = await exportTo(id, { outputs: [{ node_id: 'image', port: 'image', item: 0 }] })
    const again = await exportTo(id, { outputs: [{ node_id: 'image' }] })
    expect(again.data.exported_creatives).toEqual(first.data.exported_creatives)
    expect(again.data.exported_at).toBe(first.data.exported_at)
    const other = await exportTo(id, { task_id: two.id, outputs: [{ node_id: 'image' }] })
    expect(other.data.exported_creatives).toHaveLength(2)
  })

  test('says so where the creative of an output has been deleted since', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('lost', 'kept'), { pinned_task_id: task.id })
    await runThrough(service, id)
    const outputs = [{ node_id: 'image' }]
    const { data: run, body: first } = await exportTo(id, { outputs })
    expect(first.message).toBeNull()
    const path = `/api/v1/creatives/${run.exported_creatives[0]}`
    const { data: creative } = await service.get(path)
    await service.del(path)
    const again = await exportTo(id, { outputs })
    expect(again.data.exported_creatives).toEqual(run.exported_creatives)
    expect(again.body.message).toContain(`${creative.name} is of this card already, and deleted`)
    expect((await exportTo(id, { outputs: [{ node_id: 'image', item: 1 }] })).body.message).toBeNull()
  })

  test('many exports of one output at once make one creative', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('at once'), { pinned_task_id: task.id })
    await runThrough(service, id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => exportTo(id, { outputs: [{ node_id: 'image' }] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await readRun(service, id)).exported_creatives).toHaveLength(1)
  })

  test('refuses a run that is not at rest, a deleted task, and outputs that are not there', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('refused'))
    expect((await exportTo(id, { task_id: task.id, outputs: [{ node_id: 'image' }] })).body.code).toBe(
      'run_not_at_rest',
    )
    await runThrough(service, id)
    const wrong = await exportTo(id, {
      task_id: task.id,
      outputs: [
        { node_id: 'nope' },
        { node_id: 'image', port: 'video' },
        { node_id: 'image', item: 9 },
        { node_id: 'rows' },
      ],
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.detail.map(({ loc }: Body) => loc)).toEqual([
      ['body', 'outputs', 0, 'node_id'],
      ['body', 'outputs', 1, 'port'],
      ['body', 'outputs', 2, 'item'],
      ['body', 'outputs', 3, 'node_id'],
    ])
    expect((await exportTo(id, { outputs: [{ node_id: 'image' }] })).body.detail[0].loc).toEqual(['body', 'task_id'])
    const noId = await exportTo(id, { task_id: 'not an id', outputs: [{ node_id: 'image' }] })
    expect([noId.status, noId.body.detail[0].loc]).toEqual([422, ['body', 'task_id']])
    await service.del(`/api/v1/tasks/${task.id}`)
    expect((await exportTo(id, { task_id: task.id, outputs: [{ node_id: 'image' }] })).body.code).toBe('task_deleted')
    expect((await readRun(service, id)).exported_at).toBeNull()
  })

  test('is planned under the very names it then gives, and files that are there keep theirs', async () => {
    const task = await makers(service).task({ name: 'Planned', count: 3 })
    const [first, second] = task.planned_creative_names
    // One planned name now belongs to another task's creative; another is reserved for a deleted creative that can be restored.
    await makers(service).creative((await makers(service).task()).id, { name: first })
    const deleted = await makers(service).creative(task.id, { name: second })
    await makers(service).deleted(`/api/v1/creatives/${deleted.id}`)
    const { id } = await makeRun(service, pictures('a', 'b', 'c'), { pinned_task_id: task.id })
    await runThrough(service, id)
    const planned = async (outputs: object[]): Promise<Body[]> =>
      (await service.post(`/api/v1/runs/${id}/export/plan`, { outputs })).data.files
    const named = async () =>
      new Map((await service.get(`/api/v1/tasks/${task.id}/creatives`)).data.items.map((c: Body) => [c.name, c.id]))
    const last = { node_id: 'image', port: 'image', item: 2 }
    const [one] = await planned([last])
    expect(one).toMatchObject({ ...last, creative_id: null, name: task.planned_creative_names[2] })
    await exportTo(id, { outputs: [last] })
    const kept = await named()
    expect([...kept.keys()]).toEqual([one?.name])

    const all = await planned([{ node_id: 'image' }])
    expect(all.map(({ creative_id }) => creative_id)).toEqual([null, null, kept.get(one?.name)])
    await exportTo(id, { outputs: [{ node_id: 'image' }] })
    expect([...(await named()).keys()].toSorted()).toEqual(all.map(({ name }) => name).toSorted())
    await service.del(`/api/v1/tasks/${task.id}`)
    const refused = await service.post(`/api/v1/runs/${id}/export/plan`, { outputs: [last] })
    expect(refused.body.code).toBe('task_deleted')
  })

  test('freezes the run: no edit, answer or rewind any more; deleting and pinning go on', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('frozen'), { pinned_task_id: task.id })
    const { finished_at } = await runThrough(service, id)
    await exportTo(id, { outputs: [{ node_id: 'image' }] })
    expect((await service.patch(`/api/v1/runs/${id}`, { ui_state: { a: 1 } })).body.code).toBe('run_exported')
    const answered = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'image', answer: 1 })
    expect(answered.body).toMatchObject({ code: 'run_exported', detail: expect.stringMatching(/: it has exported\.$/) })
    for (const at of [finished_at, '2001-01-01T00:00:00Z'])
      expect((await service.post(`/api/v1/runs/${id}/history/restore`, { at })).body.code).toBe('run_exported')
    expect((await service.patch(`/api/v1/runs/${id}`, { pinned_task_id: null })).data.pinned_task_id).toBeNull()
    expect((await service.del(`/api/v1/runs/${id}`)).data.deleted_at).not.toBeNull()
  })
})

describe('the history of a run', () => {
  test('has a checkpoint for each change of the definition and each rest', async () => {
    const { id } = await makeRun(service, pictures('history'))
    await runThrough(service, id)
    await service.patch(`/api/v1/runs/${id}`, { definition: pictures('history', 'changed') })
    await runThrough(service, id)
    expect((await history(id)).map(({ kind }) => kind)).toEqual(['rest', 'edited', 'rest', 'created'])
    const stamps = (await history(id)).map(({ at }) => at)
    expect(stamps).toEqual(stamps.toSorted().toReversed())
    expect(new Set(stamps).size).toBe(4)
  })

  test('puts the run back as it stood, outputs and layout included, and can be undone', async () => {
    const { id } = await makeRun(service, pictures('rewind'))
    await service.patch(`/api/v1/runs/${id}`, { ui_state: { nodes: { rows: { x: 1 } } } })
    const first = await runThrough(service, id)
    const [rest] = await history(id)
    await service.patch(`/api/v1/runs/${id}`, { definition: pictures('rewind', 'more'), ui_state: {} })
    const second = await runThrough(service, id)

    const back = await service.post(`/api/v1/runs/${id}/history/restore`, { at: rest?.at })
    expect(back.status).toBe(200)
    for (const member of ['definition', 'ui_state', 'status', 'targets', 'answers', 'pending_input', 'error']) {
      expect(back.data[member], member).toEqual(first[member])
    }
    const { outputs, credits_consumed, duration_seconds } = first.nodes.image
    expect(back.data.nodes.image).toMatchObject({ outputs, credits_consumed, duration_seconds })
    expect(back.data).toMatchObject({
      generation: second.generation + 1,
      credits_total: second.credits_total,
      credits_consumed: 0,
    })

    const left = (await history(id)).find(({ kind }) => kind === 'left')
    const forth = await service.post(`/api/v1/runs/${id}/history/restore`, { at: left?.at })
    expect(forth.data.definition).toEqual(second.definition)
    expect(forth.data.nodes.image.outputs).toEqual(second.nodes.image.outputs)
  })

  test('shows what a restore would bring back: status, targets, outputs, items and answers', async () => {
    const definition = definitionOf(
      {
        rows: { type: 'list.collect', inputs: { values: ['seen one', 'seen two'] } },
        image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
        ok: { type: 'gate.approve', inputs: { value: 'this' } },
      },
      'rows.list > image.prompt',
    )
    const { id } = await makeRun(service, definition)
    const parked = await runThrough(service, id)
    await service.patch(`/api/v1/runs/${id}`, { ui_state: { moved: true } })
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
    const done = await untilStatus(service, id, 'succeeded')
    const seen = async (at: string) =>
      (await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${encodeURIComponent(at)}`)).data
    const [now, asked, made] = await history(id)
    const nodes = { rows: { status: 'succeeded', items: null }, image: { items: 2, outputs: done.nodes.image.outputs } }
    expect(await seen(now?.at)).toMatchObject({ status: 'succeeded', nodes, answers: done.answers, targets: [] })
    expect(await seen(asked?.at)).toMatchObject({ status: 'awaiting_input', nodes, answers: {} })
    expect((await seen(asked?.at)).nodes.ok.status).toBe(parked.nodes.ok.status)
    expect(await seen(made?.at)).toMatchObject({ status: 'draft', nodes: {}, answers: {} })
  })

  test('does not reach back before the run was made, and touches no sibling', async () => {
    const one = await makeRun(service, pictures('sibling'))
    const two = await service.post(`/api/v1/graphs/${one.graph_id}/runs`, {})
    const sibling = (await service.get(`/api/v1/runs/${two.data.id}`)).text
    const early = await service.post(`/api/v1/runs/${one.id}/history/restore`, { at: '2001-01-01T00:00:00Z' })
    expect(early).toMatchObject({ status: 404, body: { code: 'no_checkpoint' } })
    await runThrough(service, one.id)
    const [, created] = await history(one.id)
    expect((await service.post(`/api/v1/runs/${one.id}/history/restore`, { at: created?.at })).data.status).toBe(
      'draft',
    )
    expect((await service.get(`/api/v1/runs/${two.data.id}`)).text).toBe(sibling)
  })

  test('brings back a parked run with its question, which can be answered', async () => {
    const gate = definitionOf(
      { ok: { type: 'gate.approve', inputs: { value: 'this' } }, next: { type: 'list.collect' } },
      'ok.approved > next.values',
    )
    const { id } = await makeRun(service, gate)
    const parked = await runThrough(service, id)
    await service.patch(`/api/v1/runs/${id}`, { ui_state: { moved: true } })
    const [layout] = await history(id)
    await service.post(`/api/v1/runs/${id}/cancel`)
    const back = await service.post(`/api/v1/runs/${id}/history/restore`, { at: layout?.at })
    expect(back.data).toMatchObject({ status: 'awaiting_input', pending_input: parked.pending_input })
    // The restore begins a new generation, which no worker has executed yet.
    expect(back.data).toMatchObject({ started_at: null, finished_at: null, heartbeat_at: null })
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
    expect((await untilStatus(service, id, 'succeeded')).nodes.next.outputs.list).toEqual(['this'])
  })
})

describe('POST /runs/{id}/restore', () => {
  const promote = (id: string, options = {}) => service.post(`/api/v1/runs/${id}/restore`, undefined, options)

  test("puts the run's definition and layout onto its graph", async () => {
    const { id, graph_id } = await makeRun(service, pictures('promote'))
    await service.patch(`/api/v1/runs/${id}`, { definition: pictures('promote', 'better'), ui_state: { zoom: 2 } })
    const { status, data, body } = await promote(id)
    expect(status).toBe(200)
    expect(body.message).toBeNull()
    expect(data).toMatchObject({ id: graph_id, definition: pictures('promote', 'better'), ui_state: { zoom: 2 } })
    expect((await service.get(`/api/v1/graphs/${graph_id}`)).data).toEqual(data)
    const [newest] = (await service.get(`/api/v1/graphs/${graph_id}/history`)).data.items
    expect(newest.kind).toBe('promoted')
  })

  test('says where the graph had changed since, and keeps what was there', async () => {
    const { id, graph_id } = await makeRun(service, pictures('moved'))
    await service.patch(`/api/v1/graphs/${graph_id}`, { definition: pictures('somebody else was here') })
    await service.patch(`/api/v1/runs/${id}`, { definition: pictures('moved on') })
    const stale = await promote(id, { headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(412)
    const { body } = await promote(id)
    expect(body.message).toContain('had changed')
    const [, before] = (await service.get(`/api/v1/graphs/${graph_id}/history`)).data.items
    const undone = await service.post(`/api/v1/graphs/${graph_id}/history/restore`, { at: before.at })
    expect(undone.data.definition).toEqual(pictures('somebody else was here'))
  })

  test('is refused for a definition with an unknown type, and for anybody but the owner; the graph stays', async () => {
    const { id, graph_id } = await makeRun(service, pictures('guarded'))
    const before = (await service.get(`/api/v1/graphs/${graph_id}`)).text
    await service.patch(`/api/v1/runs/${id}`, { definition: definitionOf({ old: { type: 'dropped.type' } }) })
    const { status, body } = await promote(id)
    expect(status).toBe(422)
    expect(body.detail[0].loc).toEqual(['definition', 'nodes', 'old', 'type'])
    const { token } = await service.person('writer')
    expect((await promote(id, { token })).body.code).toBe('not_owner')
    expect((await service.get(`/api/v1/graphs/${graph_id}`)).text).toBe(before)
  })
})

describe('PATCH /runs/{id}', () => {
  test('voids open questions, keeps what still follows, and makes a draft of the run', async () => {
    const definition = (label: string) =>
      definitionOf(
        {
          a: { type: 'input.text', params: { value: 'same' } },
          b: { type: 'text.template', params: { template: `${label} {{ x }}` } },
          ok: { type: 'gate.approve' },
        },
        'a.text > b.x',
        'b.text > ok.value',
      )
    const { id } = await makeRun(service, definition('old'))
    await runThrough(service, id)
    const { data } = await service.patch(`/api/v1/runs/${id}`, { definition: definition('new') })
    expect(data).toMatchObject({ status: 'draft', pending_input: null, edited: true })
    expect(data.nodes).toMatchObject({
      a: { status: 'succeeded' },
      b: { status: 'pending' },
      ok: { status: 'pending' },
    })
    expect(
      (await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })).status,
    ).toBe(409)
  })

  test('makes a draft of a parked run by other targets too: they are for the next start', async () => {
    const two = definitionOf({
      one: { type: 'gate.approve', inputs: { value: 1 } },
      two: { type: 'gate.approve', inputs: { value: 2 } },
    })
    const { id } = await makeRun(service, two)
    await runThrough(service, id)
    const { data } = await service.patch(`/api/v1/runs/${id}`, { targets: ['one'] })
    expect(data).toMatchObject({ status: 'draft', pending_input: null, targets: ['one'] })
    expect(await runThrough(service, id)).toMatchObject({ pending_input: { node_id: 'one' }, targets: ['one'] })
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'one', answer: { approved: true } })
    expect((await untilStatus(service, id, 'succeeded')).nodes).toMatchObject({ one: { status: 'succeeded' } })
  })

  test('leaves nothing of how a run ended that is a draft by it', async () => {
    const { id } = await makeRun(service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 1 } } }))
    await runThrough(service, id)
    await service.post(`/api/v1/runs/${id}/cancel`)
    const { data } = await service.patch(`/api/v1/runs/${id}`, { definition: pictures('after a cancel') })
    expect(data).toMatchObject({ status: 'draft', error: null, finished_at: null })
    expect(data).toMatchObject({ cancel_requested: false, cancel_requested_at: null })
  })

  test('takes any definition, and tells what is wrong with it', async () => {
    const { id } = await makeRun(service, pictures('loose'))
    const { status, body } = await service.patch(`/api/v1/runs/${id}`, { definition: { nodes: 5 } })
    expect(status).toBe(200)
    expect(body.data.definition).toEqual({ nodes: 5 })
    expect(body.errors.length).toBeGreaterThan(0)
  })

  test('is refused with a stale If-Match', async () => {
    const { id } = await makeRun(service, pictures('stale'))
    const etag = (await service.get(`/api/v1/runs/${id}`)).headers.etag
    await service.patch(`/api/v1/runs/${id}`, { targets: ['rows'] }, { headers: { 'if-match': String(etag) } })
    const late = await service.patch(`/api/v1/runs/${id}`, { targets: [] }, { headers: { 'if-match': String(etag) } })
    expect(late.status).toBe(412)
  })

  test('so are a start and an export, and nothing comes of them', async () => {
    const task = await makers(service).task()
    const { id } = await makeRun(service, pictures('stale too'), { pinned_task_id: task.id })
    const stale = { headers: { 'if-match': '"0"' } }
    expect((await service.post(`/api/v1/runs/${id}/start`, {}, stale)).status).toBe(412)
    await runThrough(service, id)
    const outputs = [{ node_id: 'image' }]
    expect((await service.post(`/api/v1/runs/${id}/export`, { outputs }, stale)).status).toBe(412)
    expect(await readRun(service, id)).toMatchObject({ generation: 1, exported_at: null })
    const present = { headers: { 'if-match': String((await service.get(`/api/v1/runs/${id}`)).headers.etag) } }
    expect((await service.post(`/api/v1/runs/${id}/export`, { outputs }, present)).status).toBe(200)
  })
})
