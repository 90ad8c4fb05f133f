// Facts about giving up runs that no worker can execute, by a process that executes no runs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endStranded } from '../../src/engine/work/stranded.ts'
import { createWorker } from '../../src/engine/work/worker.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn } from '../support/engine.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, until } from '../support/runs.ts'
import { tags } from '../support/tags.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, [tags(1)])
})
afterAll(() => service.close())

test('what is missing is named, although the process that gives the run up has all of it', async () => {
  const old = createWorker(await engineOn(service, []), { name: 'old', runs: 1 })
  await old.start()
  const definition = definitionOf(
    { brief: { type: 'input.text', params: { value: 'Flask' } }, tags: { type: 'test.tags' } },
    'brief.text > tags.text',
  )
  const { id } = await makeRun(service, definition, { execute: true })
  await until(service, id, ({ error }) => error !== null)
  await old.stop()
  await service.rows(`update stranded_runs set since = since - interval '2 minutes'`)
  await endStranded(await engineOn(service, [tags(1)]))
  const { status, error } = await readRun(service, id)
  expect(status).toBe('failed')
  expect(error).toMatch(
    /^No worker that has all .* for 1 min: “tags” needs test\.tags version 1\. Change its definition/,
  )
})
