// Facts about budgets: a start within the budget is allowed, others are refused with a reason, and unspent money is released.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import { automations } from '../support/automations.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, engine, type Service, startService } from '../support/harness.ts'
import { makeGraph, makeRun, readRun, runThrough, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(provider))
  await service.app.worker.start()
})
afterEach(async () => {
  provider.release()
  await eventually(async () => {
    const busy = await service.rows(`select id from runs where status in ('queued', 'running')`)
    if (busy.length > 0) throw new Error('Runs are under way still.')
  })
  await service.rows('delete from budgets')
  await service.rows('delete from money_settings')
  await service.rows(`update runs set status = 'cancelled' where status = 'awaiting_input'`)
  await service.rows('update run_costs set reserved = 0, counted = 0')
})
afterAll(() => service.close())

const picture = 40_000
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
/** Two calls, one after the other; `second` are the params of the second one. */
const twoCalls = (prompt: string, second: object = {}) =>
  definitionOf(
    { one: { type: 'test.priced', inputs: { prompt } }, two: { type: 'test.priced', params: second } },
    'one.text > two.prompt',
  )
const setBudget = async (amount: number, more: object = {}) => {
  const { status, data, text } = await service.post('/api/v1/budgets', { period: 'month', amount, ...more })
  expect(status, text).toBe(200)
  return data
}
const start = (id: string, body: object = {}, token = service.owner.token) =>
  service.post(`/api/v1/runs/${id}/start`, body, { token })
/** Starts a run. Retries while the service is `overloaded`: on a busy machine, some of many simultaneous starts wait too long. */
const startForSure = async (id: string): Promise<Awaited<ReturnType<typeof start>>> => {
  const answer = await start(id)
  return answer.body?.code === 'overloaded' ? startForSure(id) : answer
}
const budget = async (): Promise<Body> => (await service.get('/api/v1/money')).data.budgets[0]

const starts = engine === 'postgres' ? 200 : 40
const fitting = starts / 4

test('starts at once at a budget for a quarter of them: exactly what fits starts, the rest is refused in words', async () => {
  const graph = await makeGraph(service, asking('storm'))
  const ids: string[] = []
  for (let made = 0; made < starts; made++) {
    ids.push((await service.post(`/api/v1/graphs/${graph.id}/runs`)).data.id)
  }
  await service.rows(
    `update runs set definition = jsonb_set(definition::jsonb, '{nodes,copy,inputs,prompt}', to_jsonb(id::text))::json
    where graph_id = $1`,
    [graph.id],
  )
  await setBudget(fitting * picture)
  provider.hold()
  const answers = await Promise.all(ids.map((id) => startForSure(id)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(answers.length - refused.length).toBe(fitting)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['409 budget_exceeded']))
  expect(refused[0]?.body.detail).toMatch(
    /The budget of the workspace for 20\d\d-\d\d has USD 0\.00 left of USD \d\.\d\d, with what runs under way hold; this may cost USD 0\.04/,
  )
  const { spent, held } = await budget()
  expect(spent + held).toBe(fitting * picture)
  provider.release()
  await eventually(async () => expect(await budget()).toMatchObject({ spent: fitting * picture, held: 0 }))
})

test('a run holds the most of its plan, and gives back at its rest what it did not spend', async () => {
  await setBudget(1_000_000)
  provider.hold()
  const { id } = await makeRun(service, asking('less', { least: 0, most: 300_000, amount: 20_000 }))
  await start(id)
  await until(service, id, () => provider.waiting() > 0)
  const under = await budget()
  expect(under.spent + under.held).toBe(300_000)
  provider.release()
  await untilStatus(service, id, 'succeeded')
  expect(await budget()).toMatchObject({ spent: 20_000, held: 0 })
})

test('a run that fails gives back what it held', async () => {
  await setBudget(1_000_000)
  const { id } = await makeRun(service, each(['a1', 'a2', 'a3']))
  provider.failOn('a1', 1)
  await runThrough(service, id)
  expect(await budget()).toMatchObject({ spent: 2 * picture, held: 0 })
})

test('a cancelled run gives back what it had not begun; the call that was cut off counts', async () => {
  await setBudget(1_000_000)
  provider.hold()
  const { id } = await makeRun(service, twoCalls('c1'))
  await start(id)
  await until(service, id, () => provider.waiting() > 0)
  const under = await budget()
  expect(under.spent + under.held).toBe(2 * picture)
  await service.post(`/api/v1/runs/${id}/cancel`)
  await untilStatus(service, id, 'cancelled')
  expect(await budget()).toMatchObject({ spent: picture, held: 0 })
})

test('a call of a run that was started without a look at its plan holds what it costs when it is made', async () => {
  provider.hold()
  const { id } = await makeRun(service, twoCalls('m1'))
  await start(id)
  await until(service, id, () => provider.waiting() > 0)
  await setBudget(picture + 1)
  provider.release()
  const run = await untilStatus(service, id, 'failed', 'succeeded')
  expect([run.nodes.one.status, run.nodes.two.status]).toEqual(['succeeded', 'failed'])
  expect(run.nodes.two.error).toMatch(
    /^budget_exceeded: The budget of the workspace .* has USD 0\.000001 left .* Nothing was sent\.$/,
  )
  expect(await budget()).toMatchObject({ spent: picture, held: 0 })
})

test('what nobody knows to be paid keeps counting', async () => {
  await setBudget(1_000_000)
  provider.failOn('cut off', 1, () => new NodeFailure('Cut off.', { outcome: 'unknown' }))
  const { id } = await makeRun(service, asking('cut off', { least: 0, most: 90_000 }))
  await runThrough(service, id)
  expect(await budget()).toMatchObject({ spent: 90_000, held: 0 })
})

test('a budget of a person holds that person alone', async () => {
  const somebody = await service.person('writer')
  await setBudget(picture, { person_id: somebody.id, period: 'always' })
  const { id } = await makeRun(service, each(['p1', 'p2']))
  const refused = await start(id, {}, somebody.token)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    ...[409, 'budget_exceeded', expect.stringMatching(/^The budget of this person has USD 0\.04 left/)],
  ])
  expect((await start(id)).status).toBe(200)
  await untilStatus(service, id, 'succeeded')
})

/** A gate, and after its answer a call that costs as much as a picture. */
const asked = (prompt: string) =>
  definitionOf(
    { ok: { type: 'gate.approve', inputs: { value: prompt } }, copy: { type: 'test.priced' } },
    'ok.approved > copy.prompt',
  )
const answerGate = (id: string, token = service.owner.token) =>
  service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } }, { token })

describe('a run of somebody else', () => {
  const payersOf = async (id: string) =>
    (
      await service.rows<{ person_id: string }>(
        'select person_id from run_costs where run_id = $1 order by generation',
        [id],
      )
    ).map(({ person_id }) => person_id)
  const runOf = async ({ token }: Body, definition: object): Promise<string> => {
    const graph = await makeGraph(service, definition)
    return (await service.post(`/api/v1/graphs/${graph.id}/runs`, {}, { token })).data.id
  }

  test('is paid for by whoever starts it, also where no limit applies to that start', async () => {
    const [owner, starter] = [await service.person('writer'), await service.person('writer')]
    await setBudget(picture + 10_000, { person_id: owner.id, period: 'always' })
    const id = await runOf(owner, asking('not mine'))
    expect((await start(id, {}, starter.token)).status).toBe(200)
    await untilStatus(service, id, 'succeeded')
    expect(await budget()).toMatchObject({ spent: 0, held: 0 })
    const { rows } = (await service.get('/api/v1/spend?by=person')).data
    expect(rows).toContainEqual(expect.objectContaining({ key: starter.id, amount: picture }))
    expect((await start(id, { regenerate: [{ node_id: 'copy' }] }, owner.token)).status).toBe(200)
    await untilStatus(service, id, 'succeeded')
    expect(await budget()).toMatchObject({ spent: picture, held: 0 })
    expect(await payersOf(id)).toEqual([starter.id, owner.id])
  })

  test('is paid for by whoever goes back to its gate, whoever answers', async () => {
    const [owner, other] = [await service.person('writer'), await service.person('writer')]
    const id = await runOf(owner, asked('back to the gate'))
    await start(id, {}, owner.token)
    await untilStatus(service, id, 'awaiting_input')
    await service.patch(`/api/v1/runs/${id}`, { ui_state: { moved: true } })
    const [parked] = (await service.get(`/api/v1/runs/${id}/history`)).data.items
    await service.post(`/api/v1/runs/${id}/cancel`)
    const back = `/api/v1/runs/${id}/history/restore`
    expect((await service.post(back, { at: parked.at }, { token: other.token })).data.status).toBe('awaiting_input')
    await answerGate(id, owner.token)
    await untilStatus(service, id, 'succeeded')
    expect(await payersOf(id)).toEqual([owner.id, other.id])
  })

  test('is paid for by whom its automation acts for, whoever moved the task', async () => {
    const on = automations(service)
    const priced = definitionOf({ picture: { type: 'test.priced_picture', inputs: { prompt: 'by itself' } } })
    await on.add('Payer', priced)
    const mover = await service.person('writer')
    const { id } = await on.task('Payer')
    const moved = await service.patch(
      `/api/v1/tasks/${id}`,
      { status: 'ready_for_production' },
      { token: mover.token, headers: { 'if-match': '*' } },
    )
    expect(moved.status, moved.text).toBe(200)
    const [run] = await on.runsOf(id)
    await untilStatus(service, run.id, 'succeeded')
    expect(await payersOf(run.id)).toEqual([service.owner.id])
  })
})

test('a limit that a start gives is kept, also where its plan found nothing to pay', async () => {
  const { id } = await makeRun(service, asking('kept for a while'))
  await runThrough(service, id)
  await runThrough(service, id, { max_cost: picture - 1 })
  expect((await service.get(`/api/v1/runs/${id}/costs`)).data.max_cost).toBe(picture - 1)
})

describe('a run that waits at a gate', () => {
  const parked = async (prompt: string): Promise<string> => {
    const { id } = await makeRun(service, asked(prompt))
    await start(id)
    await untilStatus(service, id, 'awaiting_input')
    return id
  }
  const undelete = (id: string) => service.post(`/api/v1/runs/${id}/undelete`)

  test('gives back what it held when it is deleted, and holds it again once it is undeleted', async () => {
    await setBudget(picture)
    const id = await parked('to and fro')
    expect(await budget()).toMatchObject({ spent: 0, held: picture })
    await service.del(`/api/v1/runs/${id}`)
    expect(await budget()).toMatchObject({ spent: 0, held: 0 })
    expect((await undelete(id)).data).toMatchObject({ status: 'awaiting_input', deleted_at: null })
    expect(await budget()).toMatchObject({ spent: 0, held: picture })
    await answerGate(id)
    await untilStatus(service, id, 'succeeded')
    expect(await budget()).toMatchObject({ spent: picture, held: 0 })
  })

  test('is started again within what its own reservation gives back', async () => {
    await setBudget(3 * picture)
    const definition = definitionOf(
      {
        first: { type: 'test.priced', inputs: { prompt: 'rolled' } },
        ok: { type: 'gate.approve' },
        second: { type: 'test.priced' },
      },
      'first.text > ok.value',
      'ok.approved > second.prompt',
    )
    const { id } = await makeRun(service, definition)
    await start(id)
    await untilStatus(service, id, 'awaiting_input')
    expect(await budget()).toMatchObject({ spent: picture, held: picture })
    const again = await start(id, { regenerate: [{ node_id: 'first' }] })
    expect(again.status, again.text).toBe(200)
    await untilStatus(service, id, 'awaiting_input')
    expect(await budget()).toMatchObject({ spent: 2 * picture, held: picture })
    const refused = await start(id, { regenerate: [{ node_id: 'first' }] })
    expect([refused.status, refused.body.code]).toEqual([409, 'budget_exceeded'])
  })

  test('holds nothing if others took the money while it was deleted, and its call is refused', async () => {
    await setBudget(picture)
    const id = await parked('too late')
    await service.del(`/api/v1/runs/${id}`)
    const other = await makeRun(service, asking('took the money'))
    expect((await runThrough(service, other.id)).status).toBe('succeeded')
    expect((await undelete(id)).status).toBe(200)
    expect(await budget()).toMatchObject({ spent: picture, held: 0 })
    await answerGate(id)
    expect((await untilStatus(service, id, 'failed', 'succeeded')).error).toMatch(/budget_exceeded: The budget of the/)
    expect(await budget()).toMatchObject({ spent: picture, held: 0 })
  })
})

describe('a start', () => {
  test.each([
    ['of a model without a price', { least: 0, most: -1, known: false }, {}, 'price_unknown'],
    ['without a most', { least: 0, most: -1 }, {}, 'limit_needed'],
    ['that costs more than its limit at least', {}, { max_cost: 39_999 }, 'budget_exceeded'],
  ])('%s is refused under a budget, with nothing queued', async (prompt, params, body, code) => {
    await setBudget(1_000_000)
    const { id } = await makeRun(service, asking(prompt, params))
    const refused = await start(id, body)
    expect([refused.status, refused.body.code]).toEqual([409, code])
    expect(await service.rows('select status, generation from runs where id = $1', [id])).toEqual([
      { status: 'draft', generation: 0 },
    ])
    expect(await budget()).toMatchObject({ spent: 0, held: 0 })
  })

  test('without a most goes to its limit and no further, one call after the other', async () => {
    const { id } = await makeRun(service, each(['u1', 'u2', 'u3', 'u4'], { least: 0, most: -1, amount: 60_000 }))
    await start(id, { max_cost: 100_000 })
    const run = await untilStatus(service, id, 'failed')
    const statuses = Object.values<Body>(run.nodes.copy.items).map(({ status }) => status)
    // After the first call some money is left, so the second one starts; it exceeds the limit by less than the cost of one call.
    expect(statuses.toSorted()).toEqual(['failed', 'failed', 'succeeded', 'succeeded'])
    expect(run.error).toMatch(/budget_exceeded: The start may cost USD 0\.10, of which USD 0\.00 is left/)
  })

  test('without a most has one of its waiting calls ask for its turn, and shows none of them as running', async () => {
    await service.database.script(`
      create table asked (nth serial, key text);
      create function note_asked() returns trigger language plpgsql as $$ begin
        insert into asked (key) values (new.key); return new; end $$;
      create trigger note_asked before insert on cache_claims for each row execute function note_asked()`)
    provider.hold()
    const { id } = await makeRun(service, each(['w1', 'w2', 'w3', 'w4', 'w5'], { least: 0, most: -1, amount: 10_000 }))
    await start(id, { max_cost: 1_000_000 })
    await eventually(async () => expect(await service.rows('select 1 from asked where nth > 12')).not.toEqual([]))
    expect(await service.rows('select distinct key from asked where nth > 8')).toHaveLength(1)
    const items = Object.values<Body>((await readRun(service, id)).nodes.copy.items)
    expect(items.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill('pending'), 'running'])
    provider.release()
    await untilStatus(service, id, 'succeeded')
    await service.database.script('drop function note_asked cascade; drop table asked')
  })

  test('with a limit makes what costs nothing also once the limit is reached', async () => {
    const { id } = await makeRun(service, twoCalls('to the limit', { least: 0, most: 0, amount: 0 }))
    await start(id, { max_cost: picture })
    expect((await untilStatus(service, id, 'succeeded', 'failed')).error).toBe(null)
  })

  test('with a limit is stopped at it where a call costs more than was planned', async () => {
    const { id } = await makeRun(service, each(['l1', 'l2', 'l3']))
    await start(id, { max_cost: 3 * picture })
    expect((await untilStatus(service, id, 'succeeded', 'failed')).status).toBe('succeeded')
  })
})

describe('above the sum that needs an approval', () => {
  test('a start is refused; once an admin has approved its plan, the same start goes, once', async () => {
    expect((await service.patch('/api/v1/money', { approval_above: picture })).data.approval_above).toBe(picture)
    const writer = await service.person('writer')
    const { id } = await makeRun(service, each(['q1', 'q2']))
    const refused = await start(id, {}, writer.token)
    expect([refused.status, refused.body.code, refused.body.most]).toEqual([409, 'approval_needed', 2 * picture])
    expect(await service.rows('select status from runs where id = $1', [id])).toEqual([{ status: 'draft' }])

    const ask = () => service.post(`/api/v1/runs/${id}/approvals`, {}, { token: writer.token })
    const { data: asked } = await ask()
    expect(asked).toMatchObject({ run_id: id, most: 2 * picture, approved: null, asked_by: writer.id })
    expect((await ask()).data.id).toBe(asked.id)
    expect((await start(id, {}, writer.token)).body.code).toBe('approval_needed')
    const decision = `/api/v1/approvals/${asked.id}/decision`
    expect((await service.post(decision, { approved: true }, { token: writer.token })).status).toBe(403)
    expect((await service.get('/api/v1/approvals?open=true')).data.items).toMatchObject([{ id: asked.id }])
    expect((await service.post(decision, { approved: true })).data).toMatchObject({ approved: true })

    // An approval counts only for the plan that was approved; this start, a re-roll, has another plan.
    expect((await start(id, { regenerate: [{ node_id: 'copy' }] }, writer.token)).body.code).toBe('approval_needed')
    expect((await start(id, {}, writer.token)).status).toBe(200)
    await untilStatus(service, id, 'succeeded')
    const again = await start(id, { regenerate: [{ node_id: 'copy' }] }, writer.token)
    expect(again.body.code).toBe('approval_needed')
  })

  test('a call of a run that somebody started before there was such a sum says to start it again', async () => {
    provider.hold()
    const chain = definitionOf(
      { one: { type: 'test.priced', inputs: { prompt: 'n1' } }, two: { type: 'test.priced' } },
      'one.text > two.prompt',
    )
    const { id } = await makeRun(service, chain)
    await start(id)
    await until(service, id, () => provider.waiting() > 0)
    await service.patch('/api/v1/money', { approval_above: picture })
    provider.release()
    const run = await untilStatus(service, id, 'failed', 'succeeded')
    expect(run.nodes.two.error).toMatch(/need an approval, and this run was started without one\. Start it yourself:/)
  })

  test('what costs less starts as ever', async () => {
    await service.patch('/api/v1/money', { approval_above: picture })
    const { id } = await makeRun(service, asking('small'))
    expect((await runThrough(service, id)).status).toBe('succeeded')
  })
})
