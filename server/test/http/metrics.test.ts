// Facts about metrics: what an operator can monitor, and who may read the metrics.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { engine, type Service, startService } from '../support/harness.ts'
import { sendMessage, userMessage, webhookSecret } from '../support/provider.ts'
import { startProvider } from '../support/providers.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'
import { watchEvents } from '../support/watch.ts'

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

/** The current value of a series; 0 if the series does not exist yet. */
async function figureOf(of: Service, series: string): Promise<number> {
  const { text } = await of.get('/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

test('calls of providers, the ledger, the cache, messages, streams and limits are counted by what came of them', async () => {
  const provider = await startProvider('openai', [(response) => response.writeHead(400).end('{}')])
  const counting = await startService({
    ...{ OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: `${provider.url}/v1`, ATELIER_CHAT_MODEL: 'small' },
    ...{ ATELIER_WEBHOOK_SECRETS: webhookSecret, ATELIER_RATE_LIMIT: '200' },
  })
  const series = {
    refused: 'atelier_provider_call_duration_seconds_count{provider="openai",outcome="refused"}',
    answered: 'atelier_provider_call_duration_seconds_count{provider="openai",outcome="answered"}',
    charged: 'atelier_ledger_entries_total{outcome="charged"}',
    found: 'atelier_cache_lookups_total{result="hit"}',
    missed: 'atelier_cache_lookups_total{result="miss"}',
    taken: 'atelier_webhook_messages_total{outcome="taken"}',
    repeated: 'atelier_webhook_messages_total{outcome="repeated"}',
    unsigned: 'atelier_webhook_messages_total{outcome="refused"}',
    limited: 'atelier_rate_limited_total{limit="caller"}',
    streams: 'atelier_event_streams',
  }
  // The counters belong to the whole process, so earlier tests may have increased them.
  const before = new Map<string, number>()
  for (const name of Object.values(series)) before.set(name, await figureOf(counting, name))
  const grown = async (name: keyof typeof series) =>
    (await figureOf(counting, series[name])) - (before.get(series[name]) ?? 0)

  await counting.app.worker.start()
  const definition = definitionOf({ copy: { type: 'llm.chat', params: { prompt: 'Cold?' } } })
  const refused = await makeRun(counting, definition, { execute: true })
  await untilStatus(counting, refused.id, 'failed')
  await runThrough(counting, (await makeRun(counting, definition)).id)
  await runThrough(counting, (await makeRun(counting, definition)).id)
  expect([await grown('refused'), await grown('answered'), await grown('charged')]).toEqual([1, 1, 1])
  expect([await grown('missed'), await grown('found')]).toEqual([2, 1])

  await sendMessage(counting, userMessage('user_1', 1), { id: 'msg_1' })
  await sendMessage(counting, userMessage('user_1', 1), { id: 'msg_1' })
  await counting.post('/webhooks/identity-provider', {}, { token: null })
  expect([await grown('taken'), await grown('repeated'), await grown('unsigned')]).toEqual([1, 1, 1])

  const watching = await watchEvents(
    await counting.app.server.listen({ host: '127.0.0.1', port: 0 }),
    counting.owner.token,
  )
  await expect.poll(() => grown('streams')).toBe(1)
  watching.close()
  await watching.ended
  await expect.poll(() => grown('streams')).toBe(0)

  const asked = await Promise.all(Array.from({ length: 210 }, () => counting.get('/api/v1/users/me')))
  expect(await grown('limited')).toBe(asked.filter(({ status }) => status === 429).length)
  expect(await grown('limited')).toBeGreaterThan(0)

  const { text } = await counting.get('/metrics')
  expect(text).toMatch(/^atelier_job_last_success_timestamp_seconds\{periodic_job="recover-lost-runs"\} 1\d{9}/m)
  const promtool = '/usr/bin/promtool'
  if (existsSync(promtool)) {
    // The metrics of Node.js itself get their names from the library, so they are not checked.
    const ours = text.split('\n').filter((line) => /^(?:# \w+ )?atelier_/.test(line))
    const said = spawnSync(promtool, ['check', 'metrics'], { input: `${ours.join('\n')}\n`, encoding: 'utf8' })
    expect(said.stdout + said.stderr).toBe('')
  }
  await counting.close()
})
