// Facts about how a client follows a run by its changes: merged into the client's copy, they always give the current run.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, share, startService } from '../support/harness.ts'
import { createWatcher } from '../support/histories/watcher.ts'
import { makeGraph, makeRun, readRun, runThrough, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
provider.failOn('bad')
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

/** A paid call for each row, a question about each result, and one more call for each approved result. */
const asking = (...rows: string[]) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: rows } },
      copy: { type: 'test.paid', each: ['prompt'] },
      ok: { type: 'gate.approve', each: ['value'] },
      last: { type: 'test.safe', each: ['prompt'] },
      alone: { type: 'test.safe', inputs: { prompt: 'alone' } },
    },
    'list.list > copy.prompt',
    'copy.text > ok.value',
    'ok.approved > last.prompt',
  )

/** A paid call for each row, and one more call for each result: the run ends without a question. */
const making = (...rows: string[]) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: rows } },
      copy: { type: 'test.paid', each: ['prompt'] },
      last: { type: 'test.safe', each: ['prompt'] },
    },
    'list.list > copy.prompt',
    'copy.text > last.prompt',
  )

const changesOf = async (id: string, since?: string): Promise<Body> => {
  const { status, data, text } = await service.get(
    `/api/v1/runs/${id}/changes${since === undefined ? '' : `?since=${since}`}`,
  )
  if (status !== 200) throw new Error(text)
  return data
}
const answer = (id: string, item: number) =>
  service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', item, answer: { approved: true } })
const start = (id: string, body: object = {}) => service.post(`/api/v1/runs/${id}/start`, body)

describe('what changed of a run', () => {
  test('without `since` it is all of it; then nothing, until something changes', async () => {
    const { id } = await makeRun(service, asking('one a', 'one b'))
    await runThrough(service, id)
    const all = await changesOf(id)
    const { definition, ui_state, answers } = await readRun(service, id)
    expect(all).toMatchObject({ whole: true, run: { definition, ui_state, answers } })
    expect(Object.keys(all.nodes).toSorted()).toEqual(['alone', 'copy', 'last', 'list', 'ok'])
    expect(all.nodes.copy).toMatchObject({ item_count: 2, outputs: {} })
    const nothing = await changesOf(id, all.since)
    expect(nothing).toMatchObject({ whole: false, since: all.since, nodes: {} })
    for (const part of ['definition', 'ui_state', 'answers']) expect(nothing.run).not.toHaveProperty(part)
  })

  test('an answer brings its item and its answer, and of the other nodes only those it woke', async () => {
    const { id } = await makeRun(service, asking('two a', 'two b', 'two c'))
    await runThrough(service, id)
    const { since } = await changesOf(id)
    await answer(id, 1)
    const { whole, run, nodes } = await changesOf(id, since)
    expect({ whole, nodes: Object.keys(nodes), answers: run.answers }).toEqual({
      ...{ whole: false, nodes: ['ok'] },
      answers: { 'ok/1': { approved: true } },
    })
    expect(Object.keys(nodes.ok.items)).toEqual(['1'])
    expect(nodes.ok).toMatchObject({ status: 'awaiting_input', item_count: 3 })
    expect(run.pending_input).toMatchObject({ node_id: 'ok', item_index: 0, item_count: 3 })
  })

  test('a re-roll of one item brings all that are served now, and a second one only what is made anew', async () => {
    const { id } = await makeRun(service, making('three a', 'three b', 'three c'))
    const regenerate = [{ node_id: 'last', item: 1 }]
    await runThrough(service, id)
    const made = await changesOf(id)
    await runThrough(service, id, { regenerate })
    const first = await changesOf(id, made.since)
    expect({ whole: first.whole, items: Object.keys(first.nodes.last.items) }).toEqual({
      ...{ whole: false, items: ['0', '1', '2'] },
    })
    expect(first.nodes.copy.items[0]).toMatchObject({ status: 'cached', credits_consumed: 0 })
    await runThrough(service, id, { regenerate })
    const { whole, nodes } = await changesOf(id, first.since)
    expect({ whole, nodes: Object.keys(nodes), items: Object.keys(nodes.last.items) }).toEqual({
      ...{ whole: false, nodes: ['last'], items: ['1'] },
    })
  })

  test('nodes that wait to be looked at again bring all of their items, whichever generation made them', async () => {
    const { id } = await makeRun(service, making('eight a', 'eight b', 'eight c'))
    const watcher = createWatcher(service.database, id)
    await runThrough(service, id)
    await runThrough(service, id, { regenerate: [{ node_id: 'last', item: 1 }] })
    expect(await watcher.look()).toEqual([])
    const { since } = await changesOf(id)
    await start(id, { regenerate: [{ node_id: 'copy' }], execute: false })
    const { whole, nodes } = await changesOf(id, since)
    for (const node of [nodes.copy, nodes.last]) {
      expect({ whole, status: node.status, items: Object.keys(node.items) }).toEqual({
        ...{ whole: false, status: 'pending', items: ['0', '1', '2'] },
      })
    }
    expect(await watcher.look()).toEqual([])
  })

  test('another layout comes without any node, another definition with all that is left', async () => {
    const { id } = await makeRun(service, asking('four a'))
    await runThrough(service, id)
    const { since } = await changesOf(id)
    await service.patch(`/api/v1/runs/${id}`, { ui_state: { nodes: { copy: { x: 1, y: 2 } } } })
    const moved = await changesOf(id, since)
    expect(moved).toMatchObject({ whole: false, run: { ui_state: { nodes: { copy: { x: 1, y: 2 } } } }, nodes: {} })
    const definition = asking('four b')
    await service.patch(`/api/v1/runs/${id}`, { definition })
    expect(await changesOf(id, moved.since)).toMatchObject({ whole: true, run: { definition, status: 'draft' } })
  })

  test('after a restore, after states were deleted, and to a moment that has not been, the answer is whole', async () => {
    const { id } = await makeRun(service, asking('five a', 'five b'))
    await runThrough(service, id)
    const { since } = await changesOf(id)
    const { items } = (await service.get(`/api/v1/runs/${id}/history`)).data
    await service.post(`/api/v1/runs/${id}/history/restore`, { at: items.at(-1).at })
    const restored = await changesOf(id, since)
    expect(restored).toMatchObject({ whole: true, nodes: {}, run: { status: 'draft' } })
    await runThrough(service, id, { targets: ['copy', 'alone'] })
    const before = await changesOf(id)
    await runThrough(service, id, { targets: ['alone'] })
    const narrower = await changesOf(id, before.since)
    expect({ whole: narrower.whole, nodes: Object.keys(narrower.nodes) }).toEqual({ whole: true, nodes: ['alone'] })
    for (const later of ['99.1', '1.999999']) expect((await changesOf(id, later)).whole).toBe(true)
  })

  test('what is no moment is refused at its place', async () => {
    const { id } = await makeRun(service, asking('six'))
    for (const since of ['', '7', '1.', '-1.2', '1.2.3', 'x']) {
      const refused = await service.get(`/api/v1/runs/${id}/changes?since=${since}`)
      expect({ status: refused.status, loc: refused.body.detail[0].loc }).toEqual({
        status: 422,
        loc: ['query', 'since'],
      })
    }
  })

  test('the answer carries the ETag of the run', async () => {
    const { id } = await makeRun(service, asking('seven'))
    const [whole, changes] = [await service.get(`/api/v1/runs/${id}`), await service.get(`/api/v1/runs/${id}/changes`)]
    expect(changes.headers.etag).toBe(whole.headers.etag)
  })
})

describe('whoever watches a run', () => {
  const rows = ['a', 'b', 'c', 'd', 'bad']
  const definitions = fc
    .uniqueArray(fc.constantFrom(...rows), { minLength: 1, maxLength: 5 })
    .map((some) => ({ kind: 'define' as const, rows: some }))
  const reroll = fc.record({
    kind: fc.constant('start' as const),
    nodes: fc.uniqueArray(fc.constantFrom('copy', 'ok', 'last', 'alone'), { maxLength: 2 }),
    item: fc.option(fc.nat(2)),
    targets: fc.constantFrom(undefined, undefined, ['copy'], ['ok', 'alone']),
  })
  const step = fc.oneof(
    { weight: 4, arbitrary: reroll },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer' as const), item: fc.nat(3) }) },
    { weight: 2, arbitrary: definitions },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('layout' as const), x: fc.nat() }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), back: fc.nat(5) }) },
    { weight: 5, arbitrary: fc.constant({ kind: 'rest' as const }) },
  )
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  async function act(id: string, kind: typeof making, one: Step): Promise<unknown> {
    switch (one.kind) {
      case 'start': {
        const { nodes, item, targets } = one
        const regenerate = nodes.map((node_id) => (node_id === 'alone' ? { node_id } : { node_id, item }))
        return start(id, targets ? { regenerate, targets } : { regenerate })
      }
      case 'answer':
        return answer(id, one.item)
      case 'define':
        return service.patch(`/api/v1/runs/${id}`, { definition: kind(...one.rows) })
      case 'layout':
        return service.patch(`/api/v1/runs/${id}`, { ui_state: { moved: one.x } })
      case 'cancel':
        return service.post(`/api/v1/runs/${id}/cancel`)
      case 'restore': {
        const { items } = (await service.get(`/api/v1/runs/${id}/history`)).data
        const at = items[one.back]?.at
        return at ? service.post(`/api/v1/runs/${id}/history/restore`, { at }) : undefined
      }
      case 'rest':
        return until(service, id, ({ status }) => status !== 'queued' && status !== 'running')
    }
  }

  test('holds it as it is, at any moment and however seldom they look', async () => {
    const kinds = [
      { kind: asking, graph: await makeGraph(service, asking('a', 'b', 'c')) },
      { kind: making, graph: await makeGraph(service, making('a', 'b', 'c')) },
    ] as const
    const seen: Record<string, number> = {}
    const looks = fc.constantFrom([0], [0, 1], [0, 1, 2], [0, 2])
    const property = fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.array(fc.tuple(step, looks), { minLength: 4, maxLength: 14 }),
      async ({ kind, graph }, steps) => {
        const { id } = (await service.post(`/api/v1/graphs/${graph.id}/runs`, { execute: true })).data
        const watchers = [0, 1, 2].map(() => createWatcher(service.database, id, seen))
        const look = async (which: readonly number[]) => {
          for (const [index, watcher] of watchers.entries()) {
            if (which.includes(index)) expect(await watcher.look()).toEqual([])
          }
        }
        await look([0, 1, 2])
        for (const [one, which] of steps) {
          await act(id, kind, one)
          await look(which)
        }
        await service.post(`/api/v1/runs/${id}/cancel`)
        await untilStatus(service, id, 'draft', 'succeeded', 'failed', 'cancelled')
        await look([0, 1, 2])
      },
    )
    await fc.assert(property, { numRuns: share(50), seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_122) })
    expect(seen['told changes']).toBeGreaterThan(seen['told the whole'] ?? 0)
  }, 600_000)
})
