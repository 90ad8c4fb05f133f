// Facts about jobs at ComfyUI whose worker is killed before, during and after sending: no job is sent twice or ends as unknown.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { WorkerOrders } from '../support/chaos/worker.ts'
import { type Child, killChildren, startChild } from '../support/child.ts'
import { type ComfyUiHere, serveComfyUi, workflow } from '../support/comfyui.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { silence } from '../support/outside.ts'
import { makeRun, untilStatus } from '../support/runs.ts'

let here: ComfyUiHere & { close(): Promise<void> }
let service: Service
beforeAll(async () => {
  // ComfyUI accepts the second job but does not respond to its request.
  here = await serveComfyUi({ troubles: [null, { answer: silence, takes: true }], looks: 1 })
  service = await startService({ ATELIER_PROVIDER_URLS: `comfyui=${here.url}` })
})
afterEach(killChildren)
afterAll(async () => {
  await service?.close()
  await here?.close()
})

async function startWorker(crashAt: string): Promise<Child> {
  const orders: WorkerOrders = {
    ...{
      url: service.url ?? '',
      files: service.config.files ?? '',
      provider: 'http://127.0.0.1:1',
      skewMs: 0,
      crashAt,
    },
    timing: {
      ...{ heartbeatSeconds: 0.2, lostAfterSeconds: 60, pollSeconds: 0.1 },
      ...{ cancelAfterSeconds: 1, resendSeconds: 0.2, strandedAfterSeconds: 60 },
    },
    painters: { urls: { comfyui: here.url }, calls: 1 },
  }
  const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(orders)])
  await child.printed(/working/)
  return child
}

/** Marks the workers of all runs as lost for an hour; `deaths = 0`, so that no run is given up. */
const loseWorkers = () => service.rows(`update runs set heartbeat_at = now() - interval '1 hour', deaths = 0`)

test('crash: before a job is sent, and while its answer is awaited: each is sent once', {
  timeout: 400_000,
}, async () => {
  const prompts = ['one', 'two']
  const definition = definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: prompts } },
      make: { type: 'comfyui.run', params: { workflow, fields: { prompt: '6.text' } }, each: ['prompt'] },
    },
    'list.list > make.prompt',
  )
  const { id } = await makeRun(service, definition, { execute: true })

  // The first worker dies before it sends the first job. The next worker sends both jobs, and dies while it waits for the response
  // to the second job.
  const before = await startWorker('intent-saved:1')
  expect(await before.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(here.sent()).toEqual([])
  await loseWorkers()
  const during = await startWorker('')
  await eventually(async () => expect(here.sent()).toHaveLength(2))
  during.kill('SIGKILL')
  await during.ended
  await loseWorkers()
  await service.app.worker.start()
  const run: Body = await untilStatus(service, id, 'succeeded', 'failed')

  expect(run).toMatchObject({ status: 'succeeded' })
  const ledger = await service.rows<Body>('select id, outcome from credit_entries where run_id = $1', [id])
  expect(ledger.map(({ outcome }) => outcome)).toEqual(['charged', 'charged'])
  const sent = here.sent()
  expect(sent.map(({ prompt_id }) => prompt_id).toSorted()).toEqual(ledger.map((entry) => entry.id).toSorted())
  expect(sent.map(({ prompt }) => prompt['6']?.inputs.text)).toEqual(prompts)
})
