// Facts about runs whose worker stops while a call of theirs waits for another attempt: the next worker makes the call as new.
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Execution, executeRun } from '../../src/engine/work/run-loop.ts'
import { NodeFailure } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { startEngine, take } from '../support/engine.ts'
import { makeRun, readRun } from '../support/runs.ts'

const { provider, service, engine } = await startEngine()
afterEach(() => provider.release())
afterAll(() => service.close())

const copy = (prompt: string, type: string) => definitionOf({ copy: { type, inputs: { prompt } } })
const callsOf = (prompt: string) => provider.calls.filter((call) => call.prompt === prompt)
const entries = (id: string) => service.rows('select outcome, credits from credit_entries where run_id = $1', [id])
const counted = (id: string) => service.rows('select counted::int from run_costs where run_id = $1', [id])

async function execution(id: string, worker: string): Promise<Execution> {
  const run = await take(engine, id, worker)
  if (!run) throw new Error(`The run ${id} is not queued.`)
  return executeRun(engine, run)
}

/** A run whose only call has failed once, with this outcome, and waits almost a minute for another attempt. */
async function pausing(prompt: string, type: string, outcome: 'none' | 'unknown' = 'none') {
  provider.failOn(prompt, 1, () => new NodeFailure('It is overloaded.', { again: { afterSeconds: 50 }, outcome }))
  const { id } = await makeRun(service, copy(prompt, type), { execute: true })
  const worker = await execution(id, 'stops')
  await expect.poll(() => worker.isIdle() && callsOf(prompt).length === 1).toBe(true)
  return { id, worker }
}

test.each([
  ['within its grace period', (worker: Execution) => worker.stop()],
  ['at the end of its grace period', (worker: Execution) => worker.abort()],
])(
  'a worker that stops %s sends nothing more, and the next one makes the call, which is paid once',
  async (when, stop) => {
    const prompt = `refused for now, ${when}`
    const { id, worker } = await pausing(prompt, 'test.paid')
    stop(worker)
    await worker.done
    expect(callsOf(prompt)).toHaveLength(1)
    expect(await readRun(service, id)).toMatchObject({
      status: 'queued',
      nodes: { copy: { status: 'pending', message: '' } },
    })
    expect(await entries(id)).toEqual([])
    await (await execution(id, 'next')).done
    expect(await readRun(service, id)).toMatchObject({ status: 'succeeded', credits_total: 2 })
    expect(callsOf(prompt)).toHaveLength(2)
    expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
  },
)

test('what was counted for a call that is left to the next worker is counted once', async () => {
  const { id, worker } = await pausing('counted once', 'test.priced')
  expect(await counted(id)).toEqual([{ counted: 40_000 }])
  worker.stop()
  await worker.done
  expect(await counted(id)).toEqual([{ counted: 0 }])
  await (await execution(id, 'next')).done
  expect(await counted(id)).toEqual([{ counted: 40_000 }])
})

test('a call that may have been paid for keeps its entry, and the next worker repeats it under the same name', async () => {
  const { id, worker } = await pausing('perhaps done', 'test.safe', 'unknown')
  worker.stop()
  await worker.done
  expect(await entries(id)).toEqual([{ outcome: 'intended', credits: 0 }])
  await (await execution(id, 'next')).done
  const [first, second] = callsOf('perhaps done')
  expect(second?.unit).toBe(first?.unit)
  expect(await entries(id)).toEqual([{ outcome: 'charged', credits: 2 }])
})
