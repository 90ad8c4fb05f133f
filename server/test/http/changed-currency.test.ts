// Facts about a run that is under way when the list of models gets another currency: amounts of two currencies are never added.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, runThrough, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

const types = testNodes(createProvider())
const safe = types.flatMap((type) =>
  type.type === 'test.priced' && type.gate === null ? [{ ...type, type: 'test.priced_safe', retry_safe: true }] : [],
)

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, [...types, ...safe])
  await service.app.worker.start()
})
afterAll(() => service.close())

test('after a change of the currency, a call of a run that waited is refused in words; a new start pays in the new one', async () => {
  const nodes = {
    first: { type: 'test.priced', inputs: { prompt: 'before the gate' } },
    ok: { type: 'gate.approve' },
    second: { type: 'test.priced' },
  }
  const { id } = await makeRun(service, definitionOf(nodes, 'first.text > ok.value', 'ok.approved > second.prompt'))
  await service.post(`/api/v1/runs/${id}/start`, {})
  await untilStatus(service, id, 'awaiting_input')
  // As if the run had begun with a list of models in another currency.
  await service.rows(`update run_costs set currency = 'EUR' where run_id = $1`, [id])
  await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
  await untilStatus(service, id, 'failed', 'succeeded')
  const { nodes: states } = await readRun(service, id)
  expect(JSON.stringify(states.second)).toContain('This start was counted in EUR, and prices are in USD by now.')
  const counted = () =>
    service.rows('select currency, counted::float8 from run_costs where run_id = $1 order by generation', [id])
  expect(await counted()).toEqual([{ currency: 'EUR', counted: 40_000 }])

  await service.patch(`/api/v1/runs/${id}`, {
    definition: definitionOf({ second: { type: 'test.priced', inputs: { prompt: 'after the change' } } }),
  })
  await runThrough(service, id)
  expect(await counted()).toEqual([
    { currency: 'EUR', counted: 40_000 },
    { currency: 'USD', counted: 40_000 },
  ])
})

test('what a call costs that began before a change of the currency is not booked in the old one; it goes on counting at its most', async () => {
  const nodes = { ok: { type: 'gate.approve' }, call: { type: 'test.priced_safe' } }
  const { id } = await makeRun(
    service,
    definitionOf({ ...nodes, ok: { ...nodes.ok, inputs: { value: 'yes' } } }, 'ok.approved > call.prompt'),
  )
  await service.post(`/api/v1/runs/${id}/start`, {})
  await untilStatus(service, id, 'awaiting_input')
  // As if a worker with a list of models in another currency had begun the call and was lost.
  await service.rows(`update run_costs set currency = 'EUR', counted = 50000 where run_id = $1`, [id])
  await service.rows(
    `insert into credit_entries (id, run_id, generation, node_id, item, outcome, model, currency, planned_least, planned_most, counted)
    select gen_random_uuid(), id, generation, 'call', '', 'intended', 'test:painter', 'EUR', 30000, 50000, 50000 from runs where id = $1`,
    [id],
  )
  await service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
  await untilStatus(service, id, 'failed', 'succeeded')
  const booked = await service.rows(
    `select e.outcome, e.currency, e.amount, e.amount_by, e.counted::float8, c.counted::float8 as sum
    from credit_entries e join run_costs c on c.run_id = e.run_id and c.generation = e.generation where e.run_id = $1`,
    [id],
  )
  expect(booked).toEqual([
    { outcome: 'charged', currency: 'EUR', amount: null, amount_by: null, counted: 50_000, sum: 50_000 },
  ])
})
