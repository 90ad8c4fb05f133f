// Facts about the settings for traces: what turns traces on, and which message an unknown value causes.
import { expect, test } from 'vitest'
import { readTraceSettings } from './trace-settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test('traces are off until an address or an exporter is named', () => {
  expect(readTraceSettings({})).toEqual({ off: true, why: null })
  expect(readTraceSettings({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toEqual({ off: true, why: null })
  expect(readTraceSettings({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toEqual({ off: true, why: null })
  const all = { protocol: 'http/protobuf', share: 1, isParentBased: true }
  expect(readTraceSettings(endpoint)).toEqual(all)
  expect(readTraceSettings({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual(all)
})

test('a share of the traces is kept', () => {
  const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(readTraceSettings({ ...endpoint, ...sampled })).toMatchObject({ share: 0.25, isParentBased: false })
})

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
])('%s=%s leaves them off, and is named', (name, value) => {
  expect(readTraceSettings({ ...endpoint, [name]: value })).toEqual({ off: true, why: expect.stringContaining(name) })
})
