// In charge of what the rest of the product says of the time things take: spans of traces. Until `setTracer` is called none
// are made, nothing of OpenTelemetry is loaded, and each of these functions costs one comparison.

/** Attributes by the names of OpenTelemetry's semantic conventions, or beginning with `atelier.`. */
type Attributes = Record<string, string | number | boolean>
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

export type Span = {
  set(attributes: Attributes): void
  /** Marks the span as failed, with the reason. */
  fail(reason: unknown): void
  end(): void
  /** Runs `work` so that spans begun in it become children of this one. */
  within<T>(work: () => T): T
  traceId: string
}

export type NewSpan = {
  kind: SpanKind
  attributes: Attributes
  /** The span it is a child of, as a `traceparent` of W3C; left out: the one it is begun in. */
  parent?: string | null | undefined
}

export type Tracer = {
  begin(name: string, span: NewSpan): Span
  /** Whether this is part of a span that is recorded. */
  isRecording(): boolean
  /** The span that this is part of, as a `traceparent` of W3C; null where there is none. */
  traceparent(): string | null
}

let tracer: Tracer | null = null

export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Null where no traces are made. */
export const activeTracer = (): Tracer | null => tracer

export const traceparent = (): string | null => (tracer === null ? null : tracer.traceparent())

/** Does `work` in a span; it fails where the work throws. `about` is asked only where spans are made. */
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
