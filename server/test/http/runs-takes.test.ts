// Facts about takes (earlier results of a node): a re-roll keeps them, choosing one is free, and old ones are removed if they
// need too much space.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Reply, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()

beforeAll(async () => {
  service = await startService({ ATELIER_RUN_LIMIT: '131072' }, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

const callsWith = (text: string) => provider.calls.filter(({ prompt }) => prompt.includes(text)).length
const emptyCache = () => service.database.main.deleteFrom('node_cache').execute()
const at = (id: string, node: string, item?: number) =>
  `/api/v1/runs/${id}/nodes/${node}/takes${item === undefined ? '' : `?item=${item}`}`
const start = (id: string, body: object) => service.post(`/api/v1/runs/${id}/start`, body)

/** The takes of a node or of one of its items, the oldest first. */
async function takesOf(id: string, node: string, item?: number): Promise<Body[]> {
  const { status, data, text } = await service.get(at(id, node, item))
  expect(status, text).toBe(200)
  return data.takes.toReversed()
}
const pin = (id: string, node: string, take: string, pinned = true): Promise<Reply> =>
  service.patch(at(id, node).replace('/takes', `/takes/${take}`), { pinned })

/** The time of the newest point in the history of a run that is at rest. */
const now = async (id: string): Promise<string> => (await service.get(`/api/v1/runs/${id}/history`)).data.items[0].at

/** Three paid texts, from which a person chooses. */
const options = (name: string) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: ['a', 'b', 'c'].map((one) => `${name} ${one}`) } },
      copy: { type: 'test.paid', each: ['prompt'] },
      pick: { type: 'gate.choose' },
    },
    'list.list > copy.prompt',
    'copy.text > pick.options',
  )
const one = (prompt: string) => definitionOf({ copy: { type: 'test.paid', inputs: { prompt } } })

describe('a re-roll', () => {
  test('shows when its own call began, not when that of the take before did', async () => {
    const { id } = await makeRun(service, one('times'))
    const first = await runThrough(service, id)
    const { nodes, started_at } = await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    expect(callsWith('times')).toBe(2)
    const times = [first.nodes.copy.started_at, first.finished_at, started_at, nodes.copy.started_at]
    expect(times).toEqual(times.toSorted())
    expect(nodes.copy.started_at).not.toBe(first.nodes.copy.started_at)
  })

  test('keeps what was there, and choosing it asks over it again and pays nothing, whatever the cache has let go', async () => {
    const { id } = await makeRun(service, options('chosen'))
    const first = await runThrough(service, id)
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1 }] })
    expect(callsWith('chosen')).toBe(4)
    const takes = await takesOf(id, 'copy', 1)
    expect(takes).toMatchObject([
      {
        outputs: { text: first.nodes.copy.outputs.text[1] },
        current: false,
        chosen: false,
        credits: 2,
        outdated: false,
      },
      {
        outputs: { text: rolled.nodes.copy.outputs.text[1] },
        current: true,
        pinned: false,
        credits: 2,
        outdated: false,
      },
    ])
    expect(await takesOf(id, 'copy', 0)).toMatchObject([{ current: true }])
    await emptyCache()
    const body = { choose: [{ node_id: 'copy', item: 1, take: takes[0]?.id }] }
    const plan = await service.post(`/api/v1/runs/${id}/plan`, body)
    expect(plan.data.nodes.copy).toMatchObject({ outcome: 'cached', cached: 3, credits: { most: 0 } })
    const back = await runThrough(service, id, body)
    expect(back).toMatchObject({ status: 'awaiting_input', credits_consumed: 0, credits_total: 8, regenerate: [] })
    expect(back.pending_input.request.options).toEqual(first.pending_input.request.options)
    expect(callsWith('chosen')).toBe(4)
    expect(await takesOf(id, 'copy', 1)).toMatchObject([
      { current: true, chosen: true },
      { current: false, chosen: false },
    ])
    const again = await runThrough(service, id, { choose: [{ node_id: 'copy', item: 1, take: takes[1]?.id }] })
    expect(again.pending_input.request.options).toEqual(rolled.pending_input.request.options)
    expect(callsWith('chosen')).toBe(4)
  })

  test('of all of a node keeps a take of each item', async () => {
    const { id } = await makeRun(service, options('whole'))
    const first = await runThrough(service, id)
    await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    const [before] = await takesOf(id, 'copy', 2)
    expect(before).toMatchObject({ outputs: { text: first.nodes.copy.outputs.text[2] }, current: false })
    const back = await runThrough(service, id, { choose: [{ node_id: 'copy', item: 2, take: before?.id }] })
    expect(back.nodes.copy.items[2].outputs).toEqual(before?.outputs)
    expect(callsWith('whole')).toBe(6)
  })

  test('keeps what stands behind a gate that asks again', async () => {
    const definition = definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['open a', 'open b'] } },
        pick: { type: 'gate.choose' },
        copy: { type: 'test.paid' },
      },
      'list.list > pick.options',
      'pick.first > copy.prompt',
    )
    const { id } = await makeRun(service, definition)
    await runThrough(service, id)
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [0] } })
    const made = await untilStatus(service, id, 'succeeded', 'failed')
    expect(made.error).toBeNull()
    await runThrough(service, id, { regenerate: [{ node_id: 'pick' }] })
    expect((await readRun(service, id)).status).toBe('awaiting_input')
    await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    expect(await takesOf(id, 'copy')).toMatchObject([{ outputs: made.nodes.copy.outputs, current: false, credits: 2 }])
  })

  test('that is only prepared can be taken back before anything is paid', async () => {
    const { id } = await makeRun(service, one('prepared'))
    await runThrough(service, id)
    await start(id, { execute: false, regenerate: [{ node_id: 'copy' }] })
    const [take] = await takesOf(id, 'copy')
    expect(take).toMatchObject({ current: false })
    await start(id, { execute: false, choose: [{ node_id: 'copy', take: take?.id }] })
    expect((await runThrough(service, id)).nodes.copy.outputs).toEqual(take?.outputs)
    expect(callsWith('prepared')).toBe(1)
  })

  test('is left by a rewind and can be gone back to', async () => {
    const { id } = await makeRun(service, one('rewound'))
    await runThrough(service, id)
    const before = await now(id)
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    const rewound = await service.post(`/api/v1/runs/${id}/history/restore`, { at: before })
    expect(rewound.status, rewound.text).toBe(200)
    const takes = await takesOf(id, 'copy')
    expect(takes.filter(({ current }) => current)).toHaveLength(1)
    const left = takes.find(({ current }) => !current)
    expect(left).toMatchObject({ outputs: rolled.nodes.copy.outputs, outdated: false })
    await emptyCache()
    await runThrough(service, id, { choose: [{ node_id: 'copy', take: left?.id }] })
    expect(callsWith('rewound')).toBe(2)
  })
})

describe('a choice', () => {
  test('of an exported run forks it, and the original stays as it is', async () => {
    const task = await makers(service).task()
    const nodes = {
      image: { type: 'sample.image', inputs: { prompt: 'forked take' }, params: { width: 64, height: 64 } },
    }
    const { id } = await makeRun(service, definitionOf(nodes), { pinned_task_id: task.id })
    const first = await runThrough(service, id)
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'image' }] })
    const exported = await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] })
    expect(exported.status, exported.text).toBe(200)
    const bytes = (await service.get(`/api/v1/runs/${id}`)).text
    await emptyCache()
    const [take] = await takesOf(id, 'image')
    const fork = await runThrough(service, id, { choose: [{ node_id: 'image', take: take?.id }] })
    expect(fork).toMatchObject({ copied_from: id, status: 'succeeded', credits_consumed: 0 })
    expect(fork.nodes.image.outputs).toEqual(first.nodes.image.outputs)
    expect((await takesOf(fork.id, 'image')).map(({ outputs }) => outputs)).toEqual([
      first.nodes.image.outputs,
      rolled.nodes.image.outputs,
    ])
    expect((await service.get(`/api/v1/runs/${id}`)).text).toBe(bytes)
    expect((await pin(id, 'image', String(take?.id))).status).toBe(200)
    const held = await service.database.main
      .selectFrom('file_uses')
      .select('digest')
      .where('used_by', '=', 'run')
      .where('user_key', '=', fork.id)
      .execute()
    expect(held.map(({ digest }) => digest).toSorted()).toEqual(
      [first, rolled].map((run) => run.nodes.image.outputs.image.digest).toSorted(),
    )
  })

  test('is refused where the take was made of something else, and nothing is changed by it', async () => {
    const { id } = await makeRun(service, one('outdated'))
    await runThrough(service, id)
    await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    const [take] = await takesOf(id, 'copy')
    await service.patch(`/api/v1/runs/${id}`, { definition: one('outdated, changed') })
    const before = await readRun(service, id)
    const body = { choose: [{ node_id: 'copy', take: take?.id }] }
    expect(await start(id, body)).toMatchObject({ status: 409, body: { code: 'take_outdated' } })
    expect((await service.post(`/api/v1/runs/${id}/plan`, body)).body.code).toBe('take_outdated')
    expect(await readRun(service, id)).toEqual(before)
    expect(await takesOf(id, 'copy')).toMatchObject([{ outdated: true }])
    await service.patch(`/api/v1/runs/${id}`, { definition: one('outdated') })
    await emptyCache()
    expect((await runThrough(service, id, body)).nodes.copy.outputs).toEqual(take?.outputs)
    expect(callsWith('outdated')).toBe(2)
  })

  test('names at its place what is not there, and what the same start would make void', async () => {
    const { id } = await makeRun(service, options('void'))
    await runThrough(service, id)
    const take = String((await takesOf(id, 'copy', 0))[0]?.id)
    const other = 'f'.repeat(64)
    const locsOf = async (body: object) => (await start(id, body)).body.detail?.map(({ loc }: Body) => loc.join('.'))
    const choose = [{ node_id: 'copy', item: 0, take }]
    expect(await locsOf({ choose: [{ node_id: 'copy', item: 0, take: other }] })).toEqual(['body.choose.0.take'])
    expect(await locsOf({ choose: [{ node_id: 'gone', take: other }] })).toEqual(['body.choose.0.node_id'])
    expect(await locsOf({ choose: [{ node_id: 'copy', item: 9, take: other }] })).toEqual(['body.choose.0.item'])
    expect(await locsOf({ choose: [...choose, ...choose] })).toEqual(['body.choose.1'])
    expect(await locsOf({ choose, regenerate: [{ node_id: 'copy', item: 0 }] })).toEqual(['body.choose.0'])
    expect(await locsOf({ choose, regenerate: [{ node_id: 'list' }] })).toEqual(['body.choose.0'])
    expect(await locsOf({ choose, from_run: id })).toEqual(['body.choose.0'])
    expect((await service.get(at(id, 'copy', 9))).status).toBe(404)
    expect((await service.get(at(id, 'gone'))).status).toBe(404)
    expect((await pin(id, 'copy', other)).status).toBe(404)
  })
})

describe('inputs of its own', () => {
  test('of an item are part of its call, stay with it, and cost the others nothing', async () => {
    const { id } = await makeRun(service, options('own'))
    const first = await runThrough(service, id)
    const inputs = { prompt: 'own b, warmer' }
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1, inputs }] })
    expect(rolled.nodes.copy.items[1].outputs.text).toMatch(/^own b, warmer #/)
    expect(rolled.nodes.copy.items[0].outputs).toEqual(first.nodes.copy.items[0].outputs)
    expect(callsWith('own')).toBe(4)
    expect((await service.get(at(id, 'copy', 1))).data).toMatchObject({ inputs, takes: [{ inputs }, { inputs: null }] })
    const again = await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    expect(again.nodes.copy.outputs.text).toEqual(
      ['own a', 'own b, warmer', 'own c'].map((prompt) => expect.stringMatching(`^${prompt} #`)),
    )
    await runThrough(service, id)
    expect(callsWith('own')).toBe(7)
    const [take] = await takesOf(id, 'copy', 1)
    const back = await runThrough(service, id, { choose: [{ node_id: 'copy', item: 1, take: take?.id }] })
    expect(back.nodes.copy.items[1].outputs).toEqual(first.nodes.copy.items[1].outputs)
    expect((await service.get(at(id, 'copy', 1))).data.inputs).toBeNull()
    expect(callsWith('own')).toBe(7)
  })

  test('end where they are emptied, and come back with a checkpoint', async () => {
    const { id } = await makeRun(service, one('plain'))
    const inputs = { prompt: 'other than plain' }
    const own = await runThrough(service, id, { regenerate: [{ node_id: 'copy', inputs }] })
    expect(own.nodes.copy.outputs.text).toMatch(/^other than plain #/)
    const then = await now(id)
    const ended = await runThrough(service, id, { regenerate: [{ node_id: 'copy', inputs: {} }] })
    expect(ended.nodes.copy.outputs.text).toMatch(/^plain #/)
    await service.post(`/api/v1/runs/${id}/history/restore`, { at: then })
    expect((await service.get(at(id, 'copy'))).data.inputs).toEqual(inputs)
    expect((await runThrough(service, id)).nodes.copy.outputs).toEqual(own.nodes.copy.outputs)
  })

  test('are held against the ports of the type', async () => {
    const { id } = await makeRun(service, options('ports'))
    await runThrough(service, id)
    const errors = async (inputs: object) =>
      (await start(id, { regenerate: [{ node_id: 'copy', item: 0, inputs }] })).body.detail
    expect(await errors({ nope: 1 })).toMatchObject([{ loc: ['body', 'regenerate', 0, 'inputs', 'nope'] }])
    expect(await errors({ prompt: 7 })).toMatchObject([
      { type: 'string_type', loc: ['body', 'regenerate', 0, 'inputs', 'prompt'] },
    ])
    expect(await errors({ prompt: 'x'.repeat(70_000) })).toMatchObject([{ loc: ['body', 'regenerate', 0, 'inputs'] }])
  })
})

test('takes give way to results: the oldest first, what is pinned last, and no run ends by it', async () => {
  const { id } = await makeRun(service, one(`${'long '.repeat(5000)}.`))
  await runThrough(service, id)
  const pinned = String((await takesOf(id, 'copy'))[0]?.id)
  expect((await pin(id, 'copy', pinned)).data.takes).toMatchObject([{ id: pinned, pinned: true, current: true }])
  for (let roll = 0; roll < 8; roll++) {
    const { status, error } = await runThrough(service, id, { regenerate: [{ node_id: 'copy' }] })
    expect({ status, error }).toEqual({ status: 'succeeded', error: null })
  }
  const takes = await takesOf(id, 'copy')
  expect(takes.length).toBeLessThan(6)
  expect(takes.map(({ id: take }) => take)).toContain(pinned)
  expect(takes.at(-1)).toMatchObject({ current: true })
  const held = await service.database.main
    .selectFrom('run_takes')
    .select(({ fn }) => fn.sum<number>('bytes').as('bytes'))
    .where('run_id', '=', id)
    .executeTakeFirst()
  expect(Number(held?.bytes) + 25_000).toBeLessThan(131_072)
})

test('a reader sees takes and pins none; a deleted run takes no pin, and is read', async () => {
  const { id } = await makeRun(service, one('scopes'))
  await runThrough(service, id)
  const take = String((await takesOf(id, 'copy'))[0]?.id)
  await service.del(`/api/v1/runs/${id}`)
  expect((await pin(id, 'copy', take)).body.code).toBe('run_deleted')
  expect(await takesOf(id, 'copy')).toMatchObject([{ pinned: false }])
  await untilStatus(service, id, 'succeeded')
})
