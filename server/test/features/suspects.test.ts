// Facts about a run whose last two workers were lost: before it is given up, it is run once more, by a worker without other runs.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorker, type Worker } from '../../src/engine/work/worker.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn } from '../support/engine.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, turns, untilStatus } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let provider: ReturnType<typeof createProvider>
let service: Service
let workers: Worker[]
beforeEach(async () => {
  provider = createProvider()
  service = await startService({}, undefined, testNodes(provider))
  workers = []
  provider.hold()
})
afterEach(async () => {
  provider.release()
  for (const worker of workers) await worker.stop(0)
  await service.close()
})

async function work(name: string): Promise<void> {
  const timing = {
    heartbeatSeconds: 0.1,
    lostAfterSeconds: 5,
    pollSeconds: 0.1,
    cancelAfterSeconds: 2,
    resendSeconds: 0.2,
    strandedAfterSeconds: 60,
  }
  const worker = createWorker(await engineOn(service, testNodes(provider), { timing }), { name, runs: 4 })
  workers.push(worker)
  await worker.start()
}
const start = async (prompt: string): Promise<string> => {
  const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt } } })
  return (await makeRun(service, definition, { execute: true })).id
}
/** A run that this worker executes, and a queued run that is suspected of causing the loss of its workers. */
async function startBoth(worker: string): Promise<{ other: string; suspect: string }> {
  const suspect = await start('suspect')
  // The wake-up is deleted so that no worker takes the run before it is suspected; the reconciler then sends another.
  await service.rows(`delete from pgboss.job where data->>'run_id' = $1`, [suspect])
  await service.rows('update runs set deaths = 2, queued_at = $2 where id = $1', [suspect, '2100-01-01'])
  const other = await start('other')
  await work(worker)
  await expect.poll(asked).toEqual(['other'])
  await service.rows('update runs set queued_at = $2 where id = $1', [suspect, '2020-01-01'])
  return { other, suspect }
}
const asked = () => provider.calls.map(({ prompt }) => prompt)

test('it is not begun beside others, and nothing is begun beside it', async () => {
  const { other, suspect } = await startBoth('worker')
  await expect
    .poll(async () => (await readRun(service, suspect)).error)
    .toMatch(/^It waits for a worker that has nothing else to do: 2 workers in a row were lost/)
  expect(asked()).toEqual(['other'])

  provider.release()
  provider.hold()
  await untilStatus(service, other, 'succeeded')
  await expect.poll(asked).toEqual(['other', 'suspect'])
  const later = await start('later')
  await turns(service, 5)
  expect([(await readRun(service, later)).status, asked()]).toEqual(['queued', ['other', 'suspect']])
  provider.release()
  for (const id of [suspect, later]) await untilStatus(service, id, 'succeeded')
  expect(await service.rows('select deaths, error from runs where id = $1', [suspect])).toEqual([
    { deaths: 0, error: null },
  ])
})

test('a worker that has nothing to do takes it, while others go on', async () => {
  const { other, suspect } = await startBoth('busy')
  // On the embedded database there is only one process, so the suspect waits there until the other run has ended.
  if (service.url === null) provider.release()
  else await work('idle')
  await expect.poll(asked).toEqual(['other', 'suspect'])
  if (service.url !== null) {
    const held = await service.rows('select id, worker from runs order by worker')
    expect(held).toEqual([
      { id: other, worker: 'busy' },
      { id: suspect, worker: 'idle' },
    ])
  }
  provider.release()
  for (const id of [other, suspect]) await untilStatus(service, id, 'succeeded')
})
