// In charge of making and sending spans with OpenTelemetry. Only this file imports OpenTelemetry, and this file is loaded only if
// traces are on.
import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  type Context,
  context,
  SpanKind as Kinds,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import { productVersion } from '../version.ts'
import type { Span, SpanKind, Tracer } from './spans.ts'
import type { TraceSettings } from './trace-settings.ts'

const kinds = {
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
  consumer: Kinds.CONSUMER,
  internal: Kinds.INTERNAL,
} satisfies Record<SpanKind, Kinds>

/** The most characters of an attribute; longer texts, such as long SQL statements, are cut. */
const attributeCharacters = 4_000
/** Failures to send traces are logged at most once in this many ms. */
const quietMs = 60_000

export type OpenTelemetry = { tracer: Tracer; stop(): Promise<void> }

export async function openTelemetry(settings: TraceSettings, log: Log): Promise<OpenTelemetry> {
  logFailures(log)
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'atelier',
        'service.version': productVersion,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const own = new TraceIdRatioBasedSampler(settings.share)
  const provider = new TracerProvider({
    resource,
    sampler: settings.isParentBased ? new ParentBasedSampler({ root: own }) : own,
    spanLimits: { attributeValueLengthLimit: attributeCharacters },
    spanProcessors: [new BatchSpanProcessor({ exporter: await exporterOf(settings) })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const spans = provider.getTracer('atelier', productVersion)
  return {
    tracer: {
      begin(name, { kind, attributes, parent }) {
        const within = parent === undefined ? context.active() : contextOf(parent)
        const span = spans.startSpan(name, { kind: kinds[kind], attributes }, within)
        return spanOf(span, trace.setSpan(within, span))
      },
      isRecording: () => trace.getActiveSpan()?.isRecording() === true,
      traceparent: () => {
        const active = trace.getActiveSpan()?.spanContext()
        return active
          ? `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
          : null
      },
    },
    stop: async () => {
      await provider.shutdown()
      context.disable()
    },
  }
}

async function exporterOf({ protocol }: TraceSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** Returns the context in which a span continues the trace of `parent`. If that is null or cannot be parsed, a new trace begins. */
function contextOf(parent: string | null): Context {
  const found = parent === null ? null : parseTraceParent(parent)
  return found ? trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true }) : ROOT_CONTEXT
}

function spanOf(span: OtelSpan, within: Context): Span {
  return {
    traceId: span.spanContext().traceId,
    set: (attributes: Attributes) => span.setAttributes(attributes),
    fail: (reason) => {
      const [type, message] = reason instanceof Error ? [reason.name, reason.message] : ['Error', String(reason)]
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR, message: message.slice(0, attributeCharacters) })
    },
    end: () => span.end(),
    within: (work) => context.with(within, work),
  }
}

function logFailures(log: Log): void {
  let last = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - last < quietMs) return
    last = performance.now()
    log.warn({ err: error }, 'traces could not be sent; some are lost, and nothing else is')
  })
}
