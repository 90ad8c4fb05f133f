// Facts about how a graph is run: the order of nodes, items, the cache, re-rolls, gates and failures.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesUnavailable } from '../../src/platform/byte-store.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { faults, refusal } from '../support/make.ts'
import { makeRun, readRun, runThrough, statusesOf, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()

beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterAll(() => service.close())

const callsWith = (text: string) => provider.calls.filter(({ prompt }) => prompt.includes(text)).length

describe('a run of single nodes', () => {
  test('executes its nodes in order and shows what each gave', async () => {
    const definition = definitionOf(
      {
        product: { type: 'input.text', params: { value: 'Glow serum' } },
        prompt: { type: 'text.template', params: { template: 'Sell {{ product }}!' } },
        copy: { type: 'test.paid' },
      },
      'product.text > prompt.product',
      'prompt.text > copy.prompt',
    )
    const draft = await makeRun(service, definition)
    expect(draft).toMatchObject({ status: 'draft', generation: 0, nodes: {}, edited: false, started_at: null })

    const run = await runThrough(service, draft.id)
    expect(statusesOf(run)).toEqual({ product: 'succeeded', prompt: 'succeeded', copy: 'succeeded' })
    expect(run.nodes.copy.outputs.text).toMatch(/^Sell Glow serum! #/)
    expect(run).toMatchObject({
      id: draft.id,
      status: 'succeeded',
      generation: 1,
      credits_consumed: 2,
      credits_total: 2,
    })
    expect(run.produced_at).not.toBeNull()
    expect(run.finished_at).not.toBeNull()
    expect(callsWith('Sell Glow serum')).toBe(1)
  })

  test('pays nothing for what another run has made', async () => {
    const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'shared by two runs' } } })
    const first = await runThrough(service, (await makeRun(service, definition)).id)
    const second = await runThrough(service, (await makeRun(service, definition)).id)
    expect(second.nodes.copy).toMatchObject({
      status: 'cached',
      outputs: first.nodes.copy.outputs,
      credits_consumed: 0,
    })
    expect(second.credits_total).toBe(0)
    expect(callsWith('shared by two runs')).toBe(1)
  })

  test('computes a key once, however many runs want it at the same time', async () => {
    const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'wanted by five' } } })
    provider.hold()
    const runs = await Promise.all(Array.from({ length: 5 }, () => makeRun(service, definition, { execute: true })))
    await expect.poll(() => provider.waiting()).toBe(1)
    provider.release()
    const ended = await Promise.all(runs.map(({ id }) => untilStatus(service, id, 'succeeded')))
    expect(ended.map(({ nodes }) => nodes.copy.status).toSorted()).toEqual([
      'cached',
      'cached',
      'cached',
      'cached',
      'succeeded',
    ])
    expect(callsWith('wanted by five')).toBe(1)
  })

  test('skips what depends on a failure, and nothing else', async () => {
    provider.failOn('bad luck')
    const definition = definitionOf(
      {
        bad: { type: 'test.paid', inputs: { prompt: 'bad luck' } },
        after: { type: 'text.template', params: { template: '{{ bad }}' } },
        other: { type: 'test.paid', inputs: { prompt: 'not concerned' } },
      },
      'bad.text > after.bad',
    )
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(statusesOf(run)).toEqual({ bad: 'failed', after: 'skipped', other: 'succeeded' })
    expect(run).toMatchObject({ status: 'failed', error: '“bad”: The provider refused it.', credits_consumed: 2 })
  })

  test('names an outage of the file store, which is no bug of the node', async () => {
    provider.failOn('no room', 1, () => filesUnavailable(new Error('no space left on device')))
    const definition = definitionOf({ paid: { type: 'test.paid', inputs: { prompt: 'no room' } } })
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(run.error).toMatch(/^“paid”: outcome_unknown: Files cannot be read or written here: their disk is full, or/)
  })

  test('takes the branch whose condition holds', async () => {
    const definition = definitionOf(
      {
        ask: { type: 'flow.if', params: { condition: 'equals', compare: 'yes' }, inputs: { value: 'no' } },
        yes: { type: 'text.template', params: { template: 'then {{ x }}' } },
        no: { type: 'text.template', params: { template: 'else {{ x }}' } },
      },
      'ask.then > yes.x',
      'ask.else > no.x',
    )
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(statusesOf(run)).toEqual({ ask: 'succeeded', yes: 'skipped', no: 'succeeded' })
    expect(run.status).toBe('succeeded')
  })

  test('limits the work to what the targets need', async () => {
    const definition = definitionOf(
      {
        a: { type: 'input.text', params: { value: 'for targets' } },
        b: { type: 'test.paid' },
        c: { type: 'test.paid', params: { suffix: ' not wanted' } },
      },
      'a.text > b.prompt',
      'b.text > c.prompt',
    )
    const { id } = await makeRun(service, definition)
    const run = await runThrough(service, id, { targets: ['b'] })
    expect(statusesOf(run)).toEqual({ a: 'succeeded', b: 'succeeded' })
    expect(run.targets).toEqual(['b'])
    const whole = await runThrough(service, id)
    expect(statusesOf(whole)).toEqual({ a: 'cached', b: 'cached', c: 'succeeded' })
    expect(whole.targets).toEqual([])
  })
})

describe('a node that runs once per element', () => {
  const perRow = (...rows: string[]) =>
    definitionOf(
      { list: { type: 'list.collect', inputs: { values: rows } }, copy: { type: 'test.paid', each: ['prompt'] } },
      'list.list > copy.prompt',
    )

  test('gives lists in the order of its elements', async () => {
    const run = await runThrough(service, (await makeRun(service, perRow('one row', 'two rows', 'three rows'))).id)
    expect(run.nodes.copy.outputs.text.map((text: string) => text.split(' #')[0])).toEqual([
      'one row',
      'two rows',
      'three rows',
    ])
    expect(Object.keys(run.nodes.copy.items)).toEqual(['0', '1', '2'])
    expect(run.nodes.copy).toMatchObject({ status: 'succeeded', progress: 1, credits_consumed: 6 })
  })

  test('pays for a row inserted on top alone, and gives equal rows different results', async () => {
    const before = await makeRun(service, perRow('item a', 'item b', 'item b'))
    const first = await runThrough(service, before.id)
    const [, one, two] = first.nodes.copy.outputs.text
    expect(one).not.toBe(two)
    await service.patch(`/api/v1/runs/${before.id}`, { definition: perRow('item new', 'item a', 'item b', 'item b') })
    const run = await runThrough(service, before.id)
    expect(run).toMatchObject({ status: 'succeeded', credits_consumed: 2, credits_total: 8, edited: true })
    expect(run.nodes.copy.outputs.text.slice(1)).toEqual(first.nodes.copy.outputs.text)
  })

  test('re-rolls one item, leaves the others, and keeps what the re-roll made', async () => {
    const { id } = await makeRun(service, perRow('roll a', 'roll b', 'roll c'))
    const first = await runThrough(service, id)
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1 }] })
    expect(rolled.nodes.copy.outputs.text[1]).not.toBe(first.nodes.copy.outputs.text[1])
    expect(rolled.nodes.copy.outputs.text[0]).toBe(first.nodes.copy.outputs.text[0])
    expect(Object.values<{ status: string }>(rolled.nodes.copy.items).map(({ status }) => status)).toEqual([
      'cached',
      'succeeded',
      'cached',
    ])
    expect(rolled).toMatchObject({ credits_consumed: 2, regenerate: [] })
    const again = await runThrough(service, id)
    expect(again.nodes.copy.outputs).toEqual(rolled.nodes.copy.outputs)
    expect(again.credits_consumed).toBe(0)
  })

  test('a failed item leaves a hole that skips only what comes of it', async () => {
    provider.failOn('item that fails')
    const definition = definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['fine 1', 'item that fails', 'fine 2'] } },
        copy: { type: 'test.paid', each: ['prompt'] },
        next: { type: 'text.template', params: { template: '<{{ line }}>' }, each: ['line'] },
        all: { type: 'list.collect' },
      },
      'list.list > copy.prompt',
      'copy.text > next.line',
      'next.text > all.values',
    )
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(Object.values<{ status: string }>(run.nodes.next.items).map(({ status }) => status)).toEqual([
      'succeeded',
      'skipped',
      'succeeded',
    ])
    expect(run.nodes.copy.outputs.text[1]).toBeNull()
    expect(run.nodes.all.outputs.list).toHaveLength(2)
    expect(run).toMatchObject({ status: 'failed' })
    expect(run.error).toContain('“copy” (1 item)')
  })
})

describe('a gate', () => {
  const choosing = (...rows: string[]) =>
    definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: rows } },
        copy: { type: 'test.paid', each: ['prompt'] },
        pick: { type: 'gate.choose', params: { title: 'Which one?' } },
        done: { type: 'list.collect' },
      },
      'list.list > copy.prompt',
      'copy.text > pick.options',
      'pick.chosen > done.values',
    )

  test('parks the run, holds no worker, and goes on with the answer', async () => {
    const { id } = await makeRun(service, choosing('gate a', 'gate b'))
    const parked = await runThrough(service, id)
    expect(parked).toMatchObject({
      status: 'awaiting_input',
      pending_input: { node_id: 'pick', item_index: null, item_count: null },
    })
    expect(parked.pending_input.request).toMatchObject({ kind: 'choose', title: 'Which one?' })
    expect(service.app.worker.running()).toBe(0)
    const answered = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [1] } })
    expect(answered.status).toBe(200)
    const run = await untilStatus(service, id, 'succeeded')
    expect(run.nodes.done.outputs.list).toEqual([parked.nodes.copy.outputs.text[1]])
    expect(run).toMatchObject({ answers: { pick: { selected: [1] } }, pending_input: null, generation: 1 })
  })

  test('refuses an answer that does not fit, at its place, and a second one', async () => {
    const { id } = await makeRun(service, choosing('twice a', 'twice b'))
    await runThrough(service, id)
    const wrong = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [7] } })
    expect(wrong.status).toBe(422)
    expect(wrong.body.detail[0].loc.slice(0, 3)).toEqual(['body', 'answer', 'selected'])
    const both = await Promise.all(
      [0, 1].map((one) => service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [one] } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await untilStatus(service, id, 'succeeded')
  })

  test('is superseded by a re-roll of an option, and asks again over what that made', async () => {
    const { id } = await makeRun(service, choosing('super a', 'super b'))
    const parked = await runThrough(service, id)
    const again = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 0 }] })
    expect(again).toMatchObject({ status: 'awaiting_input', generation: 2, credits_consumed: 2, credits_total: 6 })
    expect(again.pending_input.request.options[0]).not.toEqual(parked.pending_input.request.options[0])
    expect(again.pending_input.request.options[1]).toEqual(parked.pending_input.request.options[1])
  })

  test('takes an answer that names what was asked only while it asks that', async () => {
    const { id } = await makeRun(service, choosing('seen a', 'seen b'))
    const { asked } = (await runThrough(service, id)).nodes.pick.checkpoint
    const rolled = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1 }] })
    const answer = (named: unknown, selected: number) =>
      service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', asked: named, answer: { selected: [selected] } })
    expect(refusal(await answer(asked, 1))).toEqual([409, 'question_changed'])
    // Also where the answer does not fit what is asked now: whoever gave it has not seen that.
    expect(refusal(await answer(asked, 7))).toEqual([409, 'question_changed'])
    expect(faults(await answer('the first', 1))).toEqual(['value_error body.asked'])
    const { status, answers, nodes } = await readRun(service, id)
    expect([status, answers, nodes.pick.checkpoint]).toEqual(['awaiting_input', {}, rolled.nodes.pick.checkpoint])
    expect((await answer(nodes.pick.checkpoint.asked, 1)).status).toBe(200)
    const run = await untilStatus(service, id, 'succeeded')
    expect(run.nodes.done.outputs.list).toEqual([rolled.nodes.copy.outputs.text[1]])
  })

  test('keeps its answer in a replay, unless what it asks has changed', async () => {
    const { id } = await makeRun(service, choosing('keep a', 'keep b'))
    await runThrough(service, id)
    await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'pick', answer: { selected: [0] } })
    await untilStatus(service, id, 'succeeded')
    expect((await runThrough(service, id)).status).toBe('succeeded')
    const again = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1 }] })
    expect(again).toMatchObject({ status: 'awaiting_input', answers: {} })
  })

  test('asks while other branches run, and can be answered then', async () => {
    const definition = definitionOf({
      ok: { type: 'gate.approve', inputs: { value: 'this text' } },
      slow: { type: 'test.paid', inputs: { prompt: 'slow branch' } },
    })
    provider.hold()
    const { id } = await makeRun(service, definition, { execute: true })
    const asking = await until(service, id, (run) => run.nodes.ok?.status === 'awaiting_input')
    expect(asking).toMatchObject({ status: 'running', pending_input: null })
    const answered = await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
    expect(answered.data.nodes.ok.status).toBe('succeeded')
    provider.release()
    expect(statusesOf(await untilStatus(service, id, 'succeeded'))).toEqual({ ok: 'succeeded', slow: 'succeeded' })
  })

  test('asks for each item of a list, and goes on when the last is answered', async () => {
    const definition = definitionOf(
      {
        list: { type: 'list.collect', inputs: { values: ['x', 'y'] } },
        edit: { type: 'gate.edit', each: ['value'] },
        all: { type: 'list.collect' },
      },
      'list.list > edit.value',
      'edit.value > all.values',
    )
    const parked = await runThrough(service, (await makeRun(service, definition)).id)
    expect(parked.pending_input).toMatchObject({ node_id: 'edit', item_index: 0, item_count: 2 })
    const [first, next] = [0, 1].map((item) => parked.nodes.edit.items[item].checkpoint.asked)
    expect(first).not.toBe(next)
    const wrong = { node_id: 'edit', item: 1, asked: first, answer: { value: 'Y' } }
    expect(refusal(await service.post(`/api/v1/runs/${parked.id}/answers`, wrong))).toEqual([409, 'question_changed'])
    const second = await service.post(`/api/v1/runs/${parked.id}/answers`, {
      node_id: 'edit',
      item: 1,
      asked: next,
      answer: { value: 'Y' },
    })
    expect(second.data).toMatchObject({ status: 'awaiting_input', pending_input: { item_index: 0 } })
    await service.post(`/api/v1/runs/${parked.id}/answers`, { node_id: 'edit', item: 0, answer: { value: 'X' } })
    const run = await untilStatus(service, parked.id, 'succeeded')
    expect(run.nodes.all.outputs.list).toEqual(['X', 'Y'])
    expect(run.answers).toEqual({ 'edit/0': { value: 'X' }, 'edit/1': { value: 'Y' } })
  })
})

test('an answer about an item that was made anew is not shown for the one in its place', async () => {
  const definition = definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: ['void a', 'void b'] } },
      copy: { type: 'test.paid', each: ['prompt'] },
      ok: { type: 'gate.approve', each: ['value'] },
    },
    'rows.list > copy.prompt',
    'copy.text > ok.value',
  )
  const { id } = await makeRun(service, definition)
  await runThrough(service, id)
  await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', item: 1, answer: { approved: true } })
  const run = await runThrough(service, id, { regenerate: [{ node_id: 'copy', item: 1 }] })
  expect(run.nodes.ok.items['1'].status).toBe('awaiting_input')
  expect(run.answers).toEqual({})
})

describe('a cancel', () => {
  test('stops a run that a worker has, aborts its calls, and ends what was not over', async () => {
    const definition = definitionOf(
      {
        slow: { type: 'test.paid', inputs: { prompt: 'to be cancelled' } },
        after: { type: 'text.template', params: { template: '{{ x }}' } },
      },
      'slow.text > after.x',
    )
    provider.hold()
    const { id } = await makeRun(service, definition, { execute: true })
    await expect.poll(() => provider.waiting()).toBe(1)
    const asked = await service.post(`/api/v1/runs/${id}/cancel`)
    expect(asked.data).toMatchObject({ cancel_requested: true })
    const run = await untilStatus(service, id, 'cancelled')
    expect(statusesOf(run)).toEqual({ slow: 'cancelled', after: 'cancelled' })
    await expect.poll(() => provider.waiting()).toBe(0)
    provider.release()
  })

  test('ends a parked run at once, and leaves a draft and a finished run as they are', async () => {
    const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 1 } } })
    const { id } = await makeRun(service, definition)
    expect((await service.post(`/api/v1/runs/${id}/cancel`)).data.status).toBe('draft')
    await runThrough(service, id)
    const cancelled = await service.post(`/api/v1/runs/${id}/cancel`)
    expect(cancelled.data).toMatchObject({ status: 'cancelled', pending_input: null })
    expect((await service.post(`/api/v1/runs/${id}/cancel`)).data.updated_at).toBe(cancelled.data.updated_at)
    expect((await readRun(service, id)).nodes.ok.status).toBe('cancelled')
  })
})
