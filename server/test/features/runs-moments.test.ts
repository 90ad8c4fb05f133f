// Facts about runs at unlucky moments: an answer while the worker parks the run, a cancel before the first heartbeat,
// a commit whose acknowledgement is lost. The tests control the workers step by step.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshUnit } from '../../src/engine/model/units.ts'
import type { RunRow } from '../../src/engine/store/runs.ts'
import { LostRun } from '../../src/engine/store/runs.ts'
import type { Admission } from '../../src/engine/work/admission.ts'
import type { Engine } from '../../src/engine/work/engine.ts'
import { reconcile } from '../../src/engine/work/reconciler.ts'
import { executeRun } from '../../src/engine/work/run-loop.ts'
import { createSaver } from '../../src/engine/work/saver.ts'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import type { Database } from '../../src/platform/db.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, statusesOf, until, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
const provider = createProvider()
const nodeTypes = testNodes(provider)
beforeAll(async () => {
  service = await startService({}, undefined, nodeTypes)
})
afterAll(() => service.close())

const post = (id: string, what: string, body?: object) => service.post(`/api/v1/runs/${id}/${what}`, body)
const approve = (id: string, node_id: string) => post(id, 'answers', { node_id, answer: { approved: true } })
/** Starts a new run of this definition and claims it for a worker of this name. */
async function taken(definition: object, engine: Engine, name = 'host/1'): Promise<RunRow> {
  const { id } = await makeRun(service, definition, { execute: true })
  return retaken(id, engine, name)
}
async function retaken(id: string, engine: Engine, name: string): Promise<RunRow> {
  const run = await take(engine, id, name)
  if (!run) throw new Error('The run was not to be had.')
  return run
}
const age = (id: string, column: 'heartbeat_at' | 'cancel_requested_at') =>
  service.rows(`update runs set ${column} = ${column} - interval '1 hour' where id = $1`, [id])
const entries = (id: string): Promise<Body[]> =>
  service.rows('select outcome, credits from credit_entries where run_id = $1', [id])

const gate = definitionOf(
  { ok: { type: 'gate.approve', inputs: { value: 'this' } }, next: { type: 'list.collect' } },
  'ok.approved > next.values',
)
const paid = (prompt: string, type = 'test.paid') => definitionOf({ copy: { type, inputs: { prompt } } })

describe('an answer', () => {
  test('that comes before the pause is written is not slept through', async () => {
    const ids: string[] = []
    const answered: Promise<unknown>[] = []
    const { database } = service
    const engine = await engineOn(service, nodeTypes, {
      database: {
        ...database,
        tx: async (work) => {
          await Promise.all(answered)
          return database.tx(work)
        },
      },
      crash: (point) => {
        if (point === 'before-park' && answered.length === 0) answered.push(approve(ids[0] ?? '', 'ok'))
      },
    })
    const run = await taken(gate, engine)
    ids.push(run.id)
    await executeRun(engine, run).done
    const ended = await readRun(service, run.id)
    expect(ended).toMatchObject({ status: 'succeeded', answers: { ok: { approved: true } } })
    expect(answered).toHaveLength(1)
    const history = await service.get(`/api/v1/runs/${run.id}/history`)
    expect(history.data.items.filter(({ kind }: Body) => kind === 'rest')).toHaveLength(1)
  })

  test('counts in each of two branches, one right after the other', async () => {
    const definition = definitionOf(
      {
        left: { type: 'gate.approve', inputs: { value: 'left' } },
        right: { type: 'gate.approve', inputs: { value: 'right' } },
        both: { type: 'list.collect' },
      },
      'left.approved > both.values',
      'right.approved > both.values',
    )
    const engine = await engineOn(service, nodeTypes)
    const run = await taken(definition, engine)
    await executeRun(engine, run).done
    const parked = await readRun(service, run.id)
    expect([parked.status, parked.pending_input.node_id]).toEqual(['awaiting_input', 'left'])

    // The answer that is written first queues the run, although the other question is still open then.
    const answers = await Promise.all([approve(run.id, 'left'), approve(run.id, 'right')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await executeRun(engine, await retaken(run.id, engine, 'host/2')).done
    const ended = await readRun(service, run.id)
    expect(ended).toMatchObject({ status: 'succeeded', generation: 1 })
    expect(ended.nodes.both.outputs.list.toSorted()).toEqual(['left', 'right'])
  })

  test('and a re-roll at once: one of the two has the question', async () => {
    const engine = await engineOn(service, nodeTypes)
    for (let round = 0; round < 4; round++) {
      const run = await taken(gate, engine)
      await executeRun(engine, run).done
      const asked = [approve(run.id, 'ok'), post(run.id, 'start', { regenerate: [{ node_id: 'ok' }] })]
      const [answer, start] = await Promise.all(round % 2 === 0 ? asked : asked.toReversed())
      expect([answer?.status, start?.status].toSorted()).toEqual([200, 409])
      await executeRun(engine, await retaken(run.id, engine, 'host/2')).done
      const ended = await readRun(service, run.id)
      // If the answer was first, the run has ended. If the re-roll was first, the question is asked again and has no answer.
      if (ended.generation === 1) expect(ended).toMatchObject({ status: 'succeeded', answers: { ok: {} } })
      else expect(ended).toMatchObject({ status: 'awaiting_input', generation: 2, answers: {} })
    }
  })
})

describe('a cancel', () => {
  test('ends a queued run at once, and its wake-up finds nothing', async () => {
    const engine = await engineOn(service, nodeTypes)
    const { id } = await makeRun(service, paid('never called'), { execute: true })
    expect((await post(id, 'cancel')).data).toMatchObject({ status: 'cancelled', cancel_requested: true })
    expect(await take(engine, id, 'host/1')).toBeUndefined()
    expect(statusesOf(await readRun(service, id))).toEqual({ copy: 'cancelled' })
  })

  test('between the claim and the first sign of life ends the run within the bound, whether the worker lives or not', async () => {
    const engine = await engineOn(service, nodeTypes)
    const dead = await taken(paid('claimed by the dead'), engine)
    expect((await post(dead.id, 'cancel')).data).toMatchObject({ status: 'running', cancel_requested: true })
    await reconcile(engine)
    expect((await readRun(service, dead.id)).status).toBe('running')
    await age(dead.id, 'cancel_requested_at')
    await reconcile(engine)
    expect((await readRun(service, dead.id)).status).toBe('cancelled')

    const alive = await taken(gate, engine)
    await post(alive.id, 'cancel')
    await executeRun(engine, alive).done
    expect(await readRun(service, alive.id)).toMatchObject({
      status: 'cancelled',
      nodes: { ok: { status: 'cancelled' } },
    })
  })

  test('of a run whose worker stops needs no other worker', async () => {
    const engine = await engineOn(service, nodeTypes)
    provider.hold()
    const run = await taken(paid('stopped and cancelled'), engine)
    const execution = executeRun(engine, run)
    await expect.poll(() => provider.waiting()).toBe(1)
    await post(run.id, 'cancel')
    execution.abort()
    await execution.done
    provider.release()
    expect(await readRun(service, run.id)).toMatchObject({ status: 'cancelled' })
    expect(await entries(run.id)).toEqual([{ outcome: 'unknown', credits: 0 }])
  })
})

describe('a worker that lost its run', () => {
  test('and comes back writes nothing, takes no key, and the other’s result stands', async () => {
    const engine = await engineOn(service, nodeTypes)
    provider.hold()
    const run = await taken(paid('held by a zombie', 'test.safe'), engine)
    const zombie = executeRun(engine, run)
    await expect.poll(() => provider.waiting()).toBe(1)
    await age(run.id, 'heartbeat_at')
    await reconcile(engine)
    const second = executeRun(engine, await retaken(run.id, engine, 'host/2'))
    await expect.poll(() => provider.waiting()).toBe(2)
    const claims = await service.rows('select * from cache_claims where run_id = $1', [run.id])
    for (const key of [String(claims[0]?.key), 'another key']) {
      const unit = freshUnit({ node: 'copy', item: '' })
      const admission: Admission = { unit, key, intent: null, admitted: { kind: 'held' } }
      const asked = createSaver(engine, zombie.runLease).save({ units: [], admission })
      await expect(asked).rejects.toThrow(LostRun)
    }
    provider.release()
    await Promise.all([zombie.done, second.done])
    const ended = await readRun(service, run.id)
    expect(ended).toMatchObject({ status: 'succeeded', credits_total: 2, generation: 1 })
    expect(await entries(run.id)).toEqual([{ outcome: 'charged', credits: 2 }])
    expect(await service.rows('select 1 from cache_claims where run_id = $1', [run.id])).toEqual([])
  })

  test('and three in a row end it as failed, with the reason', async () => {
    const engine = await engineOn(service, nodeTypes)
    const { id } = await makeRun(service, paid('kills workers'), { execute: true })
    for (let death = 1; death <= 3; death++) {
      await retaken(id, engine, `host/${death}`)
      await age(id, 'heartbeat_at')
      await reconcile(engine)
      const { status, heartbeat_at } = await readRun(service, id)
      expect(heartbeat_at === null).toBe(status === 'queued')
    }
    expect(await readRun(service, id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/3 workers in a row/),
    })
  })
})

describe('the ledger', () => {
  /** The service's database, except that one commit loses its acknowledgement: the first one after which `is` returns true. */
  const losing = (is: () => boolean): Database => {
    const { database } = service
    let isLost = false
    return {
      ...database,
      tx: async (work) => {
        const result = await database.tx(work)
        if (isLost || !is()) return result
        isLost = true
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
      },
    }
  }

  test('charges once where the acknowledgement of a result is lost, and the run goes on', async () => {
    let isCalled = false
    const crash: Engine['crash'] = (point) => {
      isCalled ||= point === 'called'
    }
    const engine = await engineOn(service, nodeTypes, { database: losing(() => isCalled), crash })
    const run = await taken(paid('acknowledgement lost'), engine)
    await executeRun(engine, run).done
    expect(await readRun(service, run.id)).toMatchObject({ status: 'succeeded', credits_total: 2, credits_consumed: 2 })
    expect(await entries(run.id)).toEqual([{ outcome: 'charged', credits: 2 }])
  })

  test('an intent whose acknowledgement is lost is no call that may have happened', async () => {
    const engine = await engineOn(service, nodeTypes)
    const run = await taken(paid('intent lost'), engine)
    await executeRun({ ...engine, database: losing(() => true) }, run).done
    expect(await readRun(service, run.id)).toMatchObject({ status: 'succeeded', credits_total: 2 })
  })

  test('says unknown where the first attempt may have been paid, whatever became of the later ones', async () => {
    const unknown = () => new NodeFailure('It hung up.', { outcome: 'unknown', again: { afterSeconds: 0 } })
    provider.failOn('maybe paid', 1, unknown)
    provider.failOn('maybe paid')
    const engine = await engineOn(service, nodeTypes)
    const run = await taken(paid('maybe paid', 'test.safe'), engine)
    await executeRun(engine, run).done
    expect(await entries(run.id)).toEqual([{ outcome: 'unknown', credits: 0 }])
    expect((await readRun(service, run.id)).nodes.copy.error).toMatch(/^outcome_unknown/)
  })

  test('leaves no intent open where the cache served what a lost worker had begun', async () => {
    const engine = await engineOn(service, nodeTypes)
    const definition = definitionOf(
      { copy: { type: 'test.paid', inputs: { prompt: 'served at last' } }, ok: { type: 'gate.approve' } },
      'copy.text > ok.value',
    )
    provider.hold()
    const run = await taken(definition, engine)
    const lost = executeRun(engine, run)
    await expect.poll(() => provider.waiting()).toBe(1)
    await age(run.id, 'heartbeat_at')
    await reconcile(engine)
    lost.onLeaseLost()
    lost.abort() // as if the process of this worker had died
    await lost.done
    provider.release()
    const other = await taken(paid('served at last'), engine, 'host/3')
    await executeRun(engine, other).done
    await executeRun(engine, await retaken(run.id, engine, 'host/2')).done
    expect(await readRun(service, run.id)).toMatchObject({
      status: 'awaiting_input',
      nodes: { copy: { status: 'cached' } },
    })
    expect(await entries(run.id)).toEqual([{ outcome: 'unknown', credits: 0 }])
  })
})

test('a process that stops while it claims a run hands it on', async () => {
  const { id } = await makeRun(service, gate, { execute: true })
  await service.app.worker.start()
  await service.app.worker.stop()
  const { status } = await readRun(service, id)
  expect(['queued', 'awaiting_input']).toContain(status)
  const engine = await engineOn(service, nodeTypes)
  if (status === 'queued') await executeRun(engine, await retaken(id, engine, 'host/1')).done
  expect(await until(service, id, (run) => run.status === 'awaiting_input')).toMatchObject({ generation: 1 })
  await approve(id, 'ok')
  await executeRun(engine, await retaken(id, engine, 'host/2')).done
  await untilStatus(service, id, 'succeeded')
})
