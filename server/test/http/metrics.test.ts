// Facts about metrics: what an operator can watch, and who may read it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { engine, type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

const metricsToken = 'm'.repeat(40)
let service: Service
beforeAll(async () => {
  service = await startService({ ATELIER_METRICS_TOKEN: metricsToken })
})
afterAll(() => service?.close())

const read = (token: string | null) => service.get('/metrics', { token })

test('they say what runs, how much work waits and for how long, and what is stored', async () => {
  await makeRun(service, definitionOf({ copy: { type: 'input.text', params: { value: 'x' } } }), { execute: true })
  await service.rows(`update runs set queued_at = now() - interval '1 hour' where status = 'queued'`)
  await service.get('/api/v1/tasks/board')
  const { text } = await read(metricsToken)
  expect(text).toMatch(
    new RegExp(`^atelier_build_info\\{version="\\d+\\.\\d+\\.\\d+",node="v\\d.*",database="${engine}"\\} 1$`, 'm'),
  )
  expect(text).toMatch(/^atelier_runs\{state="queued"\} 1$/m)
  expect(text).toMatch(/^atelier_runs_oldest_queued_seconds 36\d\d/m)
  expect(text).toMatch(/^atelier_workers 0$/m)
  expect(text).toMatch(/^atelier_database_up 1$/m)
  expect(text).toMatch(/^atelier_files_bytes 0$/m)
  expect(text).toMatch(/^atelier_schema_migration \d+$/m)
  expect(text).toMatch(/^atelier_http_request_seconds_count\{route="\w+",method="GET",status="200"\} 1$/m)
  for (const line of text.split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) [a-z0-9_:]+ .+|[a-z0-9_]+(?:\{.*\})? \S+|)$/)
})

test('with a port of their own they are there and no longer where requests come', async () => {
  const apart = await startService({ ATELIER_METRICS_PORT: '0' })
  expect((await apart.get('/metrics')).status).toBe(404)
  expect((await apart.get('/healthz')).status).toBe(200)
  await apart.close()
})

test('with a token set, only who has it reads them', async () => {
  expect(await read(null)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  expect(await read(service.owner.token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
})
