// In charge of the interface with which the service measures durations as spans of traces. Until `setTracer` is called, no spans
// are made, OpenTelemetry is not loaded, and each function here takes only the time of one comparison.

/** The attributes of a span. Their names follow OpenTelemetry's semantic conventions, or begin with `atelier.`. */
type Attributes = Record<string, string | number | boolean>
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

export type Span = {
  set(attributes: Attributes): void
  /** Marks the span as failed, for this reason. */
  fail(reason: unknown): void
  end(): void
  /** Runs `work`; spans that begin inside `work` become children of this span. */
  within<T>(work: () => T): T
  traceId: string
}

export type NewSpan = {
  kind: SpanKind
  attributes: Attributes
  /** The parent span as a W3C `traceparent`. If it is null, a new trace begins; if it is missing, the active span is the parent. */
  parent?: string | null | undefined
}

export type Tracer = {
  begin(name: string, span: NewSpan): Span
  /** Whether the current code runs inside a span that is being recorded. */
  isRecording(): boolean
  /** Returns the active span as a W3C `traceparent`; null if no span is active. */
  traceparent(): string | null
}

let tracer: Tracer | null = null

export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Returns the tracer; null if traces are off. */
export const activeTracer = (): Tracer | null => tracer

export const traceparent = (): string | null => (tracer === null ? null : tracer.traceparent())

/** Runs `work` in a new span, marked as failed if `work` throws. If traces are off, `work` gets null and `about` is not called. */
export async function inSpan<T>(
  name: string,
  about: () => NewSpan,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (tracer === null) return work(null)
  const span = tracer.begin(name, about())
  try {
    return await span.within(() => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
