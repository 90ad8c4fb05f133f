// Facts about the history of a run over many starts: each point shows the run as it was, although points store only changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, runThrough, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

const rows = (count: number, label: string) => Array.from({ length: count }, (_, row) => `${label} ${row}`)
const fan = (values: string[], suffix = '') =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values } },
      copy: { type: 'test.safe', each: ['prompt'] },
      next: { type: 'test.safe', params: { suffix }, each: ['prompt'] },
    },
    'list.list > copy.prompt',
    'copy.text > next.prompt',
  )
const outputsOf = ({ nodes }: Body) =>
  Object.fromEntries(Object.entries<Body>(nodes).map(([id, { status, outputs }]) => [id, { status, outputs }]))
const checkpoints = (id: string) =>
  service.rows(
    `select iso(at) as at, kind, full_at is null as full, length(content::text) as size,
      (select count(*)::int from checkpoint_units u where u.subject_id = c.subject_id and u.at = c.at) as units
    from checkpoints c where subject_id = $1 order by at`,
    [id],
  )
const then = async (id: string, at: string) =>
  (await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${encodeURIComponent(at)}`)).data

test('every point reads as the run stood: after re-rolls, edits, failures of aim, and a restore', async () => {
  const { id } = await makeRun(service, fan(rows(12, 'point')))
  const stood = new Map<string, unknown>()
  const rest = async (body: object = {}): Promise<void> => {
    const run = await runThrough(service, id, body)
    expect(run.status).toBe('succeeded')
    const at = (await checkpoints(id)).at(-1)?.at
    stood.set(String(at), outputsOf(run))
  }
  await rest()
  for (let item = 0; item < 9; item++) await rest({ regenerate: [{ node_id: 'copy', item }] })
  await service.patch(`/api/v1/runs/${id}`, { ui_state: { nodes: { copy: { x: 1, y: 1 } } } })
  await rest({ regenerate: [{ node_id: 'next', item: 2 }] })
  await rest({ targets: ['copy'] })
  await rest()
  await service.patch(`/api/v1/runs/${id}`, { definition: fan(rows(12, 'point').toReversed(), '!') })
  await rest()
  const first = [...stood.keys()][2] ?? ''
  const restored = await service.post(`/api/v1/runs/${id}/history/restore`, { at: first })
  expect(outputsOf(restored.data)).toEqual(stood.get(first))
  await rest({ regenerate: [{ node_id: 'copy', item: 11 }] })

  for (const [at, was] of stood) expect(outputsOf(await then(id, at)), at).toEqual(was)
  const kept = await checkpoints(id)
  expect(kept.filter(({ full }) => !full).length).toBeGreaterThan(3)
  expect(kept.filter(({ full }) => full).length).toBeGreaterThan(3)
})

test('what a run has that waits for an answer is in its history once its definition is edited', async () => {
  const asking = (last: string) =>
    definitionOf(
      {
        copy: { type: 'test.paid', inputs: { prompt: 'asked' } },
        first: { type: 'gate.approve' },
        second: { type: 'gate.approve' },
        last: { type: 'text.template', params: { template: `${last} {{ x }}` } },
      },
      'copy.text > first.value',
      'first.approved > second.value',
      'second.approved > last.x',
    )
  const { id } = await makeRun(service, asking('old'))
  await runThrough(service, id)
  await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
  await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'first', answer: { approved: true } })
  const before = await until(service, id, ({ status, pending_input }) => {
    return status === 'awaiting_input' && pending_input?.node_id === 'second'
  })
  const marks = () =>
    service.rows(
      `select 'roll' as what, node_id, roll as mark from run_rolls where run_id = $1
       union all select 'answer', node_id, asked from run_answers where run_id = $1 order by 1, 2`,
      [id],
    )
  const marked = await marks()

  await service.patch(`/api/v1/runs/${id}`, {
    definition: definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'another' } } }),
  })
  expect(await readRun(service, id)).toMatchObject({ status: 'draft', answers: {} })
  await service.patch(`/api/v1/runs/${id}`, { definition: asking('new') })
  const kinds = (await checkpoints(id)).map(({ kind }) => kind)
  expect(kinds).toEqual(['created', 'left', 'edited', 'edited'])

  const left = (await checkpoints(id)).find(({ kind }) => kind === 'left')
  const { data } = await service.post(`/api/v1/runs/${id}/history/restore`, { at: left?.at })
  for (const member of ['definition', 'status', 'answers', 'pending_input', 'targets'])
    expect(data[member], member).toEqual(before[member])
  expect(outputsOf(data)).toEqual(outputsOf(before))
  expect(await marks()).toEqual(marked)
})

test('a run whose state its history has already is edited without another point before the edit', async () => {
  const { id } = await makeRun(service, fan(rows(2, 'known')))
  await runThrough(service, id)
  await service.patch(`/api/v1/runs/${id}`, { ui_state: { nodes: { copy: { x: 1, y: 1 } } } })
  await service.patch(`/api/v1/runs/${id}`, { definition: fan(rows(2, 'known'), '!') })
  await service.patch(`/api/v1/runs/${id}`, { definition: fan(rows(2, 'known'), '?') })
  expect((await checkpoints(id)).map(({ kind }) => kind)).toEqual(['created', 'rest', 'layout', 'edited', 'edited'])
})

test('a re-roll of one item writes as much whether it has 20 or 2,000 beside it', async () => {
  const sizes: unknown[] = []
  for (const count of [20, 2000]) {
    const values = rows(count, 'size')
    const definition = definitionOf(
      {
        list: { type: 'list.collect', inputs: { values } },
        line: { type: 'text.template', params: { template: '{{ x }}' }, each: ['x'] },
      },
      'list.list > line.x',
    )
    const { id } = await makeRun(service, definition)
    await runThrough(service, id)
    const before = await readRun(service, id)
    const after = await runThrough(service, id, { regenerate: [{ node_id: 'line', item: 7 }] })
    expect(outputsOf(after).line?.outputs).toEqual(outputsOf(before).line?.outputs)
    const states = await service.rows(
      'select count(*)::int as n from run_states where run_id = $1 and generation = 2',
      [id],
    )
    const newest = (await checkpoints(id)).at(-1)
    sizes.push({ rewritten: states[0]?.n, kept: newest?.units, written: Math.round(Number(newest?.size) / 100) })
  }
  expect(sizes[1]).toEqual(sizes[0])
})

test('a point is read from the points that have what it holds, not from all since the last full one', async () => {
  const definitionWith = (suffix: string) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: rows(24, 'own') } },
        copy: { type: 'test.safe', params: { suffix }, each: ['prompt'] },
      },
      'list.list > copy.prompt',
    )
  const { id } = await makeRun(service, definitionWith(''))
  await runThrough(service, id)
  for (let item = 0; item < 6; item++) {
    await runThrough(service, id, { regenerate: [{ node_id: 'copy', item, inputs: { prompt: `by hand ${item}` } }] })
  }
  const run = await readRun(service, id)
  const at = String((await checkpoints(id)).at(-1)?.at)
  // What the points in between hold was replaced later. If one of them were read, this document would be refused.
  const overwritten = await service.rows(
    `update checkpoints c set content = '{"not": "a run"}' where subject_id = $1 and full_at is not null
      and at < (select max(at) from checkpoints where subject_id = $1) returning 1`,
    [id],
  )
  expect(overwritten).toHaveLength(5)
  expect(outputsOf(await then(id, at))).toEqual(outputsOf(run))
  await service.patch(`/api/v1/runs/${id}`, { definition: definitionWith('!') })
  const { data } = await service.post(`/api/v1/runs/${id}/history/restore`, { at })
  expect(outputsOf(data)).toEqual(outputsOf(run))
  const rolls = await service.rows('select inputs from run_rolls where run_id = $1 order by position', [id])
  expect(rolls.map(({ inputs }) => inputs.prompt)).toEqual(rows(6, 'by hand'))
})

describe('a restore brings back the times of nodes', () => {
  const asking = definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: ['timed one', 'timed two'] } },
      copy: { type: 'test.safe', each: ['prompt'] },
      ok: { type: 'gate.edit', each: ['value'] },
      last: { type: 'test.safe', each: ['prompt'] },
    },
    'list.list > copy.prompt',
    'copy.text > ok.value',
    'ok.value > last.prompt',
  )
  const answer = (id: string, item: number) =>
    service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', item, answer: { value: `answered ${item}` } })
  const restore = async (id: string, at: string): Promise<Body> =>
    (await service.post(`/api/v1/runs/${id}/history/restore`, { at })).data

  test('of nodes that had ended, waited, never begun, or were served from an earlier start', async () => {
    const { id } = await makeRun(service, asking)
    const stood: { at: string; nodes: Body }[] = []
    // A parked run has a checkpoint only once its layout is written.
    const move = (x: number) => service.patch(`/api/v1/runs/${id}`, { ui_state: { x } })
    const note = async ({ nodes }: Body) => stood.push({ at: String((await checkpoints(id)).at(-1)?.at), nodes })
    const made = async () => (await service.get(`/api/v1/runs/${id}/nodes/copy/takes?item=0`)).data.items

    await runThrough(service, id)
    await move(1)
    await note(await readRun(service, id))
    await service.post(`/api/v1/runs/${id}/cancel`)
    await note(await untilStatus(service, id, 'cancelled'))
    await runThrough(service, id)
    for (const item of [0, 1]) await answer(id, item)
    await note(await untilStatus(service, id, 'succeeded'))
    await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 0 }] })
    await move(2)
    await note(await readRun(service, id))
    await answer(id, 0)
    await note(await untilStatus(service, id, 'succeeded'))
    const takes = await made()

    for (const { at, nodes } of stood) expect((await restore(id, at)).nodes).toEqual(nodes)
    expect(await made()).toEqual(takes)
    // Each restore has left a checkpoint of the restored run, which brings the same times back.
    const restored = (await checkpoints(id)).filter(({ kind }) => kind === 'restored')
    expect(restored).toHaveLength(stood.length)
    for (const [nth, { at }] of restored.entries()) expect((await restore(id, at)).nodes).toEqual(stood[nth]?.nodes)
  })

  test('but of a checkpoint from before times were kept, it makes them up from how long each node took', async () => {
    const { id } = await makeRun(service, definitionOf({ copy: { type: 'test.safe', inputs: { prompt: 'untimed' } } }))
    const run = await runThrough(service, id)
    const at = String((await checkpoints(id)).at(-1)?.at)
    await service.rows(
      `update checkpoint_units set started_at = null, finished_at = null, duration_seconds = 3 where subject_id = $1`,
      [id],
    )
    const { copy } = (await restore(id, at)).nodes
    expect(copy).toEqual({ ...run.nodes.copy, duration_seconds: 3, started_at: expect.any(String) })
    const [times] = await service.rows(
      `select extract(epoch from finished_at - started_at)::float8 as seconds from run_states where run_id = $1`,
      [id],
    )
    expect(times?.seconds).toBeCloseTo(3, 0)
  })
})
