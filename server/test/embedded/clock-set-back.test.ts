// Facts about the start of a service after a crash, if the clock of the machine was set back in between.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../src/engine/work/reconciler.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun, readRun, untilStatus } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('runs, workers and calls of the earlier process are known to be lost, although they were last seen in the future', async () => {
  const engine = await engineOn(service, [])
  const lines = definitionOf({ line: { type: 'text.template', params: { template: 'lost' } } })
  const { id } = await makeRun(service, lines, { execute: true })
  await take(engine, id, 'an earlier process')
  await service.database.script(`
    update runs set heartbeat_at = now() + interval '1 hour';
    insert into workers (id, name, has, seen_at)
      values (gen_random_uuid(), 'an earlier process', '{}', now() + interval '1 hour');
    insert into providers (name, tokens, filled_at) values ('provider.example', 1, now());
    insert into provider_claims (provider, holder, granted, wanted, seen_at)
      values ('provider.example', gen_random_uuid(), 8, 8, now() + interval '1 hour')`)
  await reconcile(engine)
  expect((await readRun(service, id)).status).toBe('running')
  await service.app.worker.start()
  expect((await untilStatus(service, id, 'succeeded')).status).toBe('succeeded')
  expect(await service.rows(`select 1 from workers where name = 'an earlier process'`)).toEqual([])
  expect(await service.rows('select 1 from provider_claims')).toEqual([])
})
