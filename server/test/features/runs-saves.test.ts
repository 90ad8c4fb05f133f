// Facts about what a worker writes for its run: which writes share a commit, which calls may not begin, and which run gets to
// compute the outputs for a cache key.
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshUnit, type UnitState } from '../../src/engine/model/units.ts'
import type { Admission } from '../../src/engine/work/admission.ts'
import { createSaver, type Save, type Saver } from '../../src/engine/work/saver.ts'
import type { CallCost } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A run that a worker has claimed, and the saver that writes for it. */
async function held(): Promise<{ saver: Saver; id: string }> {
  const definition = definitionOf({ a: { type: 'input.text' }, b: { type: 'input.text' } })
  const { id } = await makeRun(service, definition, { execute: true })
  const engine = await engineOn(service, [])
  const run = await take(engine, id, 'saves/1')
  if (!run) throw new Error('The run was not to be had.')
  const hold = { runId: id, generation: run.generation, lease: run.lease }
  return { saver: createSaver(engine, hold), id }
}

const unit = (node: string, more: Partial<UnitState> = {}): UnitState => ({ ...freshUnit({ node, item: '' }), ...more })
const made = (node: string, outputs: object): Save => ({
  units: [unit(node, { status: 'succeeded', outputs: { ...outputs } })],
})
const asking = (node: string, key: string | null = null, cost: CallCost | null = null): Admission => ({
  unit: unit(node, { status: 'running' }),
  key,
  intent: { id: uuidv7(), estimate: 1, cost },
  admitted: { kind: 'held' },
})
/** The cost of a call without a maximum. */
const unbounded: CallCost = { model: 'test:painter', currency: 'USD', least: 0, most: null, isKnown: true }
const changesOf = async (id: string): Promise<number> =>
  Number((await service.rows('select changes from runs where id = $1', [id]))[0]?.changes)
const entriesOf = (id: string) =>
  service.rows('select node_id, outcome from credit_entries where run_id = $1 order by node_id', [id])
/** An output that the database refuses. */
const unwritable = { text: '\u0000' }

test('a result and the intent of the call that comes after it share a commit', async () => {
  const { saver, id } = await held()
  const before = await changesOf(id)
  const admission = asking('b')
  const result = saver.save(made('a', { text: 'made' }), { mayWait: true })
  await saver.save({ units: [], admission })
  await result
  expect(await changesOf(id)).toBe(before + 1)
  expect(admission.admitted).toMatchObject({ kind: 'call', intent: { before: 'nothing' } })
  expect(await service.rows('select node_id, status from run_states where run_id = $1 order by 1', [id])).toEqual([
    { node_id: 'a', status: 'succeeded' },
    { node_id: 'b', status: 'running' },
  ])
})

test('a result that nothing comes after is written all the same', async () => {
  const { saver, id } = await held()
  await saver.save(made('a', { text: 'alone' }), { mayWait: true })
  expect(
    (await service.rows('select outputs from run_states where run_id = $1 and outputs is not null', [id])).length,
  ).toBe(1)
})

test('no call is begun on what could not be written, at once or later, and what was paid for is kept', async () => {
  const { saver, id } = await held()
  const lost = saver.save(made('a', unwritable), { mayWait: true })
  const paidFor = saver.save(made('b', { text: 'paid for' }), { mayWait: true, retryAlone: true })
  const begun = saver.save({ units: [], admission: asking('b') })
  const outcomes = await Promise.allSettled([lost, paidFor, begun])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  await expect(saver.save({ units: [], admission: asking('b') })).rejects.toThrow()
  expect(await entriesOf(id)).toEqual([])
  expect(await service.rows("select status from run_states where run_id = $1 and node_id = 'b'", [id])).toEqual([
    { status: 'succeeded' },
  ])
})

test('of two units of a run with one key, and of two runs, one computes it', async () => {
  const [one, other] = [await held(), await held()]
  const key = 'a key that is wanted twice'
  const [first, second, third] = [asking('a', key), asking('b', key), asking('a', key)]
  await Promise.all([one.saver.save({ units: [], admission: first }), one.saver.save({ units: [], admission: second })])
  await other.saver.save({ units: [], admission: third })
  expect([first, second, third].map(({ admitted }) => admitted.kind)).toEqual(['call', 'held', 'held'])
  expect(await entriesOf(one.id)).toEqual([{ node_id: 'a', outcome: 'intended' }])
  expect(await entriesOf(other.id)).toEqual([])
  const outputs = { text: 'computed' }
  await one.saver.save({ ...made('a', outputs), cached: { key, type: 'test', outputs, message: 'said', credits: 1 } })
  await Promise.all([
    one.saver.save({ units: [], admission: second }),
    other.saver.save({ units: [], admission: third }),
  ])
  expect([second, third].map(({ admitted }) => admitted)).toEqual([
    { kind: 'known', result: { outputs, message: 'said' } },
    { kind: 'known', result: { outputs, message: 'said' } },
  ])
  expect(await service.rows('select 1 from cache_claims where key = $1', [key])).toEqual([])
})

test('a call that has to wait for one without a most is not saved as running, and begins in the commit of that one’s end', async () => {
  const { saver, id } = await held()
  await service.rows('update run_costs set max_cost = 1000000 where run_id = $1', [id])
  const statusOf = async (node: string) =>
    (await service.rows('select status from run_states where run_id = $1 and node_id = $2', [id, node]))[0]?.status
  const [first, second] = [asking('a', null, unbounded), asking('b', null, unbounded)]
  await Promise.all([saver.save({ units: [], admission: first }), saver.save({ units: [], admission: second })])
  expect([first, second].map(({ admitted }) => admitted.kind)).toEqual(['call', 'unbounded'])
  expect([await statusOf('a'), await statusOf('b')]).toEqual(['running', 'pending'])

  const before = await changesOf(id)
  const intent = first.admitted.kind === 'call' ? first.admitted.intent : null
  const entry = { entry: intent?.unit ?? '', outcome: 'charged', credits: 1 } as const
  const ended = saver.save({ ...made('a', { text: 'ended' }), closedEntries: [entry] }, { mayWait: true })
  await saver.save({ units: [], admission: second })
  await ended
  expect(second.admitted.kind).toBe('call')
  expect([await statusOf('b'), await changesOf(id)]).toEqual(['running', before + 1])
})
