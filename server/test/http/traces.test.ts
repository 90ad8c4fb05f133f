// Facts about traces: a request, its run and its external calls are parts of one trace, as an OpenTelemetry collector gets it.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { activeTracer, traceparent } from '../../src/platform/tracing/spans.ts'
import { startTraces } from '../../src/platform/tracing/start-traces.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeGraph, untilStatus } from '../support/runs.ts'

type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 }

const received: { spans: Sent[]; resource: string }[] = []
const askedOutside: (string | undefined)[] = []
/** A server that receives spans at `/v1/traces`, and acts as an external service at every other path. */
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    if (request.url !== '/v1/traces') {
      askedOutside.push(request.headers.traceparent?.toString())
      return response.end('{}')
    }
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans) received.push({ spans, resource: JSON.stringify(resource) })
    return response.end('{}')
  })
})
const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
let port = 0
let endTraces: () => Promise<void>
let service: Service
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  port = address !== null && typeof address === 'object' ? address.port : 0
  environment.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
  Object.assign(process.env, environment) // the exporter reads its settings from the environment
  endTraces = await startTraces(process.env, createLog('silent'))
  service = await startService({ ATELIER_ALLOWED_HOSTS: `127.0.0.1:${port}` })
})
afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name]
  await endTraces?.()
  await service?.close()
  collector.closeAllConnections()
  collector.close()
})

const begun = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a start, its statements, its run and what that asks outside are one trace, which goes on with that of the caller', async () => {
  const definition = definitionOf({
    call: { type: 'http.request', params: { url: `http://127.0.0.1:${port}/x?key=1` } },
  })
  const graph = await makeGraph(service, definition)
  await service.app.worker.start()
  const made = await service.post(
    `/api/v1/graphs/${graph.id}/runs`,
    { execute: true },
    { headers: { traceparent: begun } },
  )
  const run = await untilStatus(service, made.data.id, 'succeeded', 'failed')
  expect(run.status).toBe('succeeded')
  await service.get('/api/v1/tasks/none', { headers: { traceparent: 'nonsense' } })
  await service.app.worker.stop()
  await endTraces()

  const all = received.flatMap(({ spans }) => spans)
  const attributesOf = ({ attributes }: Sent): Record<string, unknown> =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
  const [, trace, caller] = begun.split('-')
  const ofTrace = all.filter(({ traceId }) => traceId === trace)
  const parts = (kind: number, parent?: string): Sent[] =>
    ofTrace.filter((span) => span.kind === kind && (parent === undefined || span.parentSpanId === parent))

  const [request, ...others] = parts(kinds.server)
  expect(others).toEqual([])
  expect(request).toMatchObject({ name: 'POST /api/v1/graphs/:graph_id/runs', parentSpanId: caller })
  expect(request && attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api/v1/graphs/:graph_id/runs',
    'http.response.status_code': 200,
  })
  const statements = parts(kinds.client, request?.spanId).map(attributesOf)
  expect(statements.map((one) => one['db.operation.name'])).toContain('INSERT')
  for (const one of statements) expect(one['db.query.text']).not.toContain(made.data.id)

  const [execution] = parts(kinds.consumer, request?.spanId)
  expect(execution && attributesOf(execution)).toEqual({ 'atelier.run.id': made.data.id, 'atelier.run.generation': 1 })
  const [call] = parts(kinds.internal, execution?.spanId)
  expect(call).toMatchObject({ name: 'call http.request' })
  const [outside] = parts(kinds.client, call?.spanId)
  expect(outside && attributesOf(outside)).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': port })
  expect(JSON.stringify(outside)).not.toContain('key=1')
  expect(askedOutside).toEqual([undefined])
  const [unnamed] = all.filter((span) => span.name === 'GET /api/v1/tasks/:task_id')
  expect(unnamed?.parentSpanId ?? '').toBe('')
  expect(received[0]?.resource).toContain('"atelier"')
  expect(activeTracer()).toBeNull()
})

test('periodic work alone makes no spans, and without a place to send them nothing does', async () => {
  const before = received.length
  expect(traceparent()).toBeNull()
  await service.get('/api/v1/tasks')
  expect(received).toHaveLength(before)
})
