// In charge of the interface by which the product reports durations: spans of traces. Until `setTracer` is called, no spans are
// made, OpenTelemetry is not loaded, and each of these functions costs only one comparison.

/** Attribute names follow OpenTelemetry's semantic conventions, or begin with `atelier.`. */
type Attributes = Record<string, string | number | boolean>
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

export type Span = {
  set(attributes: Attributes): void
  /** Marks the span as failed, with the reason. */
  fail(reason: unknown): void
  end(): void
  /** Runs `work`; spans begun inside it become children of this one. */
  within<T>(work: () => T): T
  traceId: string
}

export type NewSpan = {
  kind: SpanKind
  attributes: Attributes
  /** The parent span, as a W3C `traceparent`; undefined: the span that is active at the call. */
  parent?: string | null | undefined
}

export type Tracer = {
  begin(name: string, span: NewSpan): Span
  /** Whether the current code runs inside a span that is recorded. */
  isRecording(): boolean
  /** The active span, as a W3C `traceparent`; null if there is none. */
  traceparent(): string | null
}

let tracer: Tracer | null = null

export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** The tracer; null if traces are off. */
export const activeTracer = (): Tracer | null => tracer

export const traceparent = (): string | null => (tracer === null ? null : tracer.traceparent())

/** Runs `work` in a span, which fails if `work` throws. `about` is called only if traces are on. */
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
