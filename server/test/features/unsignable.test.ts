// Facts about exports whose pictures cannot be signed: for the moment, or each time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { prepareExport } from '../../src/features/runs/signing.ts'
import { createCredentials } from '../../src/nodes/credentials.ts'
import { createPictureWorkers } from '../../src/nodes/images/workers.ts'
import { needSigning } from '../support/credentials.ts'
import { definitionOf } from '../support/definitions.ts'
import { brokenPictureWorkers, signing } from '../support/exporting.ts'
import type { Service } from '../support/harness.ts'
import { killedPictureWorkers } from '../support/killed-pictures.ts'
import { makers } from '../support/make.ts'
import { filesInMemory } from '../support/nodes.ts'
import { makeRun, runThrough } from '../support/runs.ts'

let service: Service
let close: () => Promise<void>
beforeAll(async () => {
  const started = await signing()
  service = started.service
  close = started.close
})
afterAll(() => close())
beforeEach(needSigning)

test('a picture whose signing is cut off is tried once more, then exported unsigned; while none can be signed, none is exported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-signing-'))
  const task = await makers(service).task()
  const sample = { type: 'sample.image', params: { prompt: 'a', width: 200, height: 200 } }
  const run = await runThrough(
    service,
    (await makeRun(service, definitionOf({ sample }), { pinned_task_id: task.id })).id,
  )
  const { database, files } = service.app.services
  const read = async (digest: string): Promise<Buffer> => {
    const file = await files.find(digest)
    if (!file) throw new Error(`no file ${digest}`)
    return buffer(await files.read(file))
  }
  const settings = { signs: true, signingCertificate: null, signingKey: null }
  const prepare = (workers: Parameters<typeof createCredentials>[2], isUnattended = false) => {
    const credentials = createCredentials(settings, Buffer.alloc(32, 7), workers)
    const nodeFiles = { ...filesInMemory(), read }
    return prepareExport(
      { database, find: () => undefined, nodeFiles, credentials, sourceTypeOf: async () => 'algorithmicMedia' },
      { runId: run.id, taskId: null, outputs: [{ node_id: 'sample' }], isUnattended },
    )
  }
  const killed = await killedPictureWorkers(folder, 'SIGKILL')
  const working = createPictureWorkers({ most: 1 })
  const after = async (...[first, second]: (typeof working)[]) => {
    const attempts = [first, second].values()
    const sign: typeof working.sign = (job, signal) => (attempts.next().value ?? working).sign(job, signal)
    return [...(await prepare({ sign, check: working.check })).values()][0]
  }
  const signed = { signed_by: 'Atelier (its own certificate)', unsigned_because: null }
  expect(await after(killed, working)).toMatchObject(signed)
  const unsigned = { signed_by: null, unsigned_because: expect.stringContaining('ended from outside') }
  expect(await after(killed, killed)).toMatchObject(unsigned)
  const late = () => Promise.reject(new DOMException('The queue was too long.', 'TimeoutError'))
  for (const workers of [brokenPictureWorkers(), { sign: late, check: late }])
    for (const isUnattended of [false, true])
      await expect(prepare(workers, isUnattended)).rejects.toMatchObject({ code: 'overloaded' })
  // An automation does not wait for ever; somebody who exports decides for themselves.
  await service.rows(`update runs set finished_at = finished_at - interval '1 hour' where id = $1`, [run.id])
  const [waited] = (await prepare({ sign: late, check: late }, true)).values()
  expect(waited).toMatchObject({ signed_by: null, unsigned_because: 'The queue was too long.' })
  await expect(prepare({ sign: late, check: late })).rejects.toMatchObject({ code: 'overloaded' })
  rmSync(folder, { recursive: true })
})
