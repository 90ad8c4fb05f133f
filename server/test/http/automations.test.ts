// Facts about how automations start: for which tasks, with which run, and what is reported if no run starts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automations, pictureOf } from '../support/automations.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, nobody, refusal, utc } from '../support/make.ts'
import { makeGraph } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let on: ReturnType<typeof automations>
const provider = createProvider()

beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  on = automations(service)
  service.app.automations.start()
  await service.app.worker.start()
})
afterAll(() => service.close())

describe('an automation', () => {
  test('is made, listed, changed and removed by an admin, and read by everybody', async () => {
    const made = await on.add('Roundtrip', pictureOf('never'), { enabled: false, targets: ['copy'] })
    expect(made).toMatchObject({
      enabled: false,
      targets: ['copy'],
      owner_id: service.owner.id,
      to_status: 'tech_check',
    })
    const path = `/api/v1/automations/${made.id}`
    const reader = await service.person('reader')
    const writer = await service.person('writer')
    const { data } = await service.get('/api/v1/automations', { token: reader.token })
    expect(data.items).toContainEqual(made)
    expect((await service.patch(path, { enabled: true }, { token: writer.token })).status).toBe(403)
    expect((await service.del(path, { token: writer.token })).status).toBe(403)
    const admin = await service.person('admin')
    const changed = await service.patch(path, { name: 'Other', query: null, to_status: null }, { token: admin.token })
    expect(changed.data).toEqual({
      ...made,
      ...{ name: 'Other', query: null, to_status: null, owner_id: admin.id },
      updated_at: expect.stringMatching(utc),
    })
    expect((await service.del(path)).data).toEqual(changed.data)
    expect(refusal(await service.del(path))).toEqual([404, 'not_found'])
    expect(refusal(await service.patch(path, {}))).toEqual([404, 'not_found'])
  })

  test('needs a live graph, nodes that are there, and a filter that can be read', async () => {
    const graph = await makeGraph(service, pictureOf('never'))
    const body = { name: 'Wrong', on_status: 'done', graph_id: graph.id }
    const wrong = await service.post('/api/v1/automations', {
      ...body,
      targets: ['nowhere'],
      outputs: [{ node_id: 'picture' }, { node_id: 'gone' }],
      query: {
        combinator: 'and',
        rules: [
          { field: 'topic', operator: '=', value: 'a' },
          { field: 'no', operator: '=' },
        ],
      },
    })
    expect(wrong.status).toBe(422)
    expect(faults(wrong)).toEqual([
      'enum body.query.rules.1.field',
      'value_error body.targets.0',
      'value_error body.outputs.1.node_id',
    ])
    const none = await service.post('/api/v1/automations', { ...body, graph_id: nobody, colour: 'red' })
    expect(faults(none)).toEqual(['extra_forbidden body.colour'])
    expect(faults(await service.post('/api/v1/automations', { ...body, graph_id: nobody }))).toEqual([
      'value_error body.graph_id',
    ])
    await service.del(`/api/v1/graphs/${graph.id}`)
    expect(faults(await service.post('/api/v1/automations', body))).toEqual(['value_error body.graph_id'])
  })
})

describe('an automation that is broken', () => {
  const breakages = [
    ['whose graph is deleted', (graph: string) => service.del(`/api/v1/graphs/${graph}`)],
    [
      'whose graph has lost a node',
      (graph: string) => service.patch(`/api/v1/graphs/${graph}`, { definition: { schema: 1, nodes: {}, edges: [] } }),
    ],
    [
      'whose filter is not understood any more',
      (graph: string) => {
        const query = JSON.stringify({ combinator: 'and', rules: [{ field: 'geo', operator: '=', value: 'ATLANTIS' }] })
        return service.rows(`update automations set query = '${query}' where graph_id = '${graph}'`)
      },
    ],
  ] as const
  test.each(breakages)(
    '%s is renamed, switched off, and removed and brought back so, but not switched on',
    async (...it) => {
      const [how, breaks] = it
      const made = await on.add(how, pictureOf('never'), { on_status: 'done' })
      await breaks(made.graph_id)
      const path = `/api/v1/automations/${made.id}`
      expect((await service.patch(path, { name: 'Renamed' })).data).toMatchObject({ name: 'Renamed', enabled: true })
      expect((await service.patch(path, { outputs: [{ node_id: 'copy' }] })).status).toBe(422)
      expect((await service.patch(path, { enabled: false })).data).toMatchObject({ enabled: false })
      expect((await service.patch(path, { enabled: true })).status).toBe(422)
      const removed = (await service.del(path)).data
      const { id: _id, owner_id: _owner, created_at: _created, updated_at: _updated, ...content } = removed
      expect((await service.post('/api/v1/automations', content)).data).toMatchObject(content)
    },
  )

  test('is refused without a graph id, even switched off', async () => {
    const body = { name: 'No id', on_status: 'done', graph_id: 'no id', enabled: false }
    expect((await service.post('/api/v1/automations', body)).status).toBe(422)
  })
})

describe('a task that enters the status', () => {
  test('has its run enqueued in the same answer, and card and record say so', async () => {
    await on.add('Told at once', pictureOf('told at once'))
    const { id } = await on.task('Told at once')
    provider.hold()
    const moved = await on.enter(id)
    expect(moved.automation).toEqual({
      state: 'pending',
      error: null,
      started_at: expect.stringMatching(utc),
      ran_at: null,
    })
    const [run] = await on.runsOf(id)
    expect(run).toMatchObject({ task_id: id, pinned_task_id: id, owner_id: service.owner.id })
    const running = await on.untilState(id, 'running')
    expect(running.automation.started_at).toBe(moved.automation.started_at)
    const card = await on.cardOf(id)
    expect(card.automation).toEqual({ state: 'running', error: null, started_at: moved.automation.started_at })
    provider.release()
    const done = await on.untilState(id, 'succeeded')
    expect(done.status).toBe('tech_check')
    expect(await on.cardOf(id)).toMatchObject({
      creatives_total: 1,
      creatives_done: 1,
      automation: { state: 'succeeded' },
    })
    expect(done.automation).toEqual({ ...moved.automation, state: 'succeeded', ran_at: expect.stringMatching(utc) })
  })

  test.each([
    ['all of it', []],
    ['targets', ['copy']],
  ])('gets a run of %s that is in every row what one made and started by hand is', async (_, targets) => {
    const quiet = await startService({}, undefined, testNodes(provider))
    const its = automations(quiet)
    const definition = pictureOf('by hand and not')
    const { graph_id } = await its.add('Same', definition, { targets })
    const { id } = await its.task('Same')
    await its.enter(id)
    const [{ id: byItself }] = await its.runsOf(id)
    const body = { execute: true, task_id: id, pinned_task_id: id, targets }
    const { data: byHand } = await quiet.post(`/api/v1/graphs/${graph_id}/runs`, body)
    /** All stored rows of a run, without its ids and times. */
    const kept = async (run: string): Promise<unknown> => {
      const rows = await Promise.all(
        [
          `select * from runs where id = '${run}'`,
          `select * from run_states where run_id = '${run}' order by node_id`,
          `select kind, by_user, by_token, content from checkpoints where subject_id = '${run}'`,
          `select state, data from pgboss.job where singleton_key = '${run}/1'`,
        ].map((statement) => quiet.rows(statement)),
      )
      const text = JSON.stringify(rows).replaceAll(run, 'the run')
      return JSON.parse(text, (_, value) => (utc.test(String(value)) ? 'then' : value))
    }
    expect(await kept(byItself)).toEqual(await kept(byHand.id))
    const history = await its.make.read(`/api/v1/runs/${byItself}/history`)
    expect(history.items.map(({ summary }: Body) => summary)).toEqual(['Started by the automation “On Same”'])
    await quiet.close()
  })

  test('may be created in it', async () => {
    await on.add('Born there', pictureOf('born there'))
    const made = await on.task('Born there', { status: 'ready_for_production' })
    expect(made.automation.state).toBe('pending')
    await on.untilState(made.id, 'succeeded')
    const kinds = (await on.told(made.id, 'task', 'automation')).map(({ kind }) => kind)
    expect(kinds).toEqual(['task_created', 'automation_started', 'task_moved', 'automation_ended'])
  })

  test('starts nothing where the rule group does not select it, the automation is off, or it stood there before', async () => {
    await on.add('Off', pictureOf('off'), { enabled: false })
    for (const topic of ['Off', 'Nobody waits for this']) {
      const { id } = await on.task(topic)
      expect((await on.enter(id)).automation.state).toBeNull()
    }
    const stood = await on.task('Late', { status: 'ready_for_production' })
    await on.add('Late', pictureOf('late'))
    expect((await on.enter(stood.id)).automation.state).toBeNull()
    expect((await on.make.patched(stood.id, { priority: 1 })).automation.state).toBeNull()
    await on.make.deleted(`/api/v1/tasks/${stood.id}`)
    expect((await on.make.restored(`/api/v1/tasks/${stood.id}`)).automation.state).toBeNull()
  })

  test('has at most one at work, however many people move it at once', async () => {
    await on.add('Once', pictureOf('once'))
    await on.add('Once', pictureOf('once more'))
    const { id } = await on.task('Once')
    provider.hold()
    const moves = ['ready_for_production', 'backlog', 'ready_for_production', 'in_progress', 'ready_for_production']
    await Promise.all(moves.map((status) => service.patch(`/api/v1/tasks/${id}`, { status })))
    await on.enter(id)
    expect(await on.runsOf(id)).toHaveLength(1)
    const started = await on.told(id, 'automation_started')
    const skipped = await on.told(id, 'automation_skipped')
    expect(started).toHaveLength(1)
    expect(skipped.length).toBeGreaterThanOrEqual(1)
    const [{ changes, subject_id }] = skipped
    expect(changes.reason.to).toBe('“On Once” is at work on this task.')
    expect(subject_id).toBe(started[0]?.subject_id)
    provider.release()
    await on.untilState(id, 'succeeded')
  })

  test('may be one of a hundred that a bulk change moves', async () => {
    await on.add('Bulk', pictureOf('bulk'), { to_status: 'creative_check' })
    const ids: string[] = []
    for (let at = 0; at < 100; at += 1) ids.push((await on.task(at % 10 === 9 ? 'Not these' : 'Bulk')).id)
    const { data } = await service.post('/api/v1/tasks/bulk', { ids, patch: { status: 'ready_for_production' } })
    const states = data.updated.map(({ automation }: Body) => automation.state)
    expect(states.filter((state: string | null) => state === 'pending')).toHaveLength(90)
    await expect
      .poll(async () =>
        service.rows(`select count(*)::int as n from tasks where topic = 'Bulk' and
        automation_state = 'succeeded' and status = 'creative_check' and creatives_total = 1`),
      )
      .toEqual([{ n: 90 }])
    expect(await service.rows('select * from live_automations')).toEqual([])
  })

  test('is moved all the same where the automation is broken, and its card says what is wrong', async () => {
    const broken = async (
      topic: string,
      patch: (graph: Body) => Promise<unknown>,
      definition: object = pictureOf(topic),
    ) => {
      const { graph_id } = await on.add(topic, definition)
      await patch(graph_id)
      const { id } = await on.task(topic)
      const moved = await on.enter(id)
      expect(moved.status).toBe('ready_for_production')
      expect(moved.automation).toMatchObject({ state: 'failed', started_at: null, ran_at: expect.stringMatching(utc) })
      expect(await on.runsOf(id)).toEqual([])
      const [{ changes }] = await on.told(id, 'automation')
      expect(changes.reason.to).toBe(moved.automation.error)
      return moved.automation.error
    }
    const gone = await broken('Deleted graph', (graph) => service.del(`/api/v1/graphs/${graph}`))
    expect(gone).toMatch(/^“On Deleted graph” could not start\. Its graph is deleted: restore the graph/)
    const unknown = await broken('Unknown type', (graph) => {
      const definition = pictureOf('x')
      const copy = { ...definition.nodes.copy, type: 'no.such' }
      return service.patch(`/api/v1/graphs/${graph}`, {
        definition: { ...definition, nodes: { ...definition.nodes, copy } },
      })
    })
    expect(unknown).toContain('definition.nodes.copy.type: ')
    const lost = await broken('Lost node', (graph) =>
      service.patch(`/api/v1/graphs/${graph}`, { definition: { schema: 1, nodes: {}, edges: [] } }),
    )
    expect(lost).toContain('outputs.0.node_id: Value error, the definition has no node “picture”')
    const keyless = await broken('No key', (graph) => {
      const definition = pictureOf('x')
      const copy = { type: 'llm.chat', version: 1, params: { prompt: 'Hello' }, inputs: {}, each: [] }
      return service.patch(`/api/v1/graphs/${graph}`, {
        definition: { ...definition, nodes: { ...definition.nodes, copy } },
      })
    })
    expect(keyless).toContain('OPENAI_API_KEY')
    const muddled = await broken('Muddled', async (graph) => {
      const query = JSON.stringify({ combinator: 'and', rules: [{ field: 'geo', operator: '=', value: 'ATLANTIS' }] })
      await service.rows(`update automations set query = '${query}' where graph_id = '${graph}'`)
    })
    expect(muddled).toContain('rules.0.value: ')
    await service.rows(`update automations set enabled = false where name = 'On Muddled'`)
    const left = await service.person('admin')
    const orphaned = await broken('Orphaned', async (graph) => {
      await service.rows(`update automations set owner_id = '${left.id}' where graph_id = '${graph}'`)
      await service.patch(`/api/v1/users/${left.id}`, { active: false })
    })
    expect(orphaned).toContain('have an admin save the automation')
  })
})
