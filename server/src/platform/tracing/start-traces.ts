// In charge of turning traces on if the environment variables require it, and of sending the last spans when the process ends.
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { setTracer } from './spans.ts'
import { readTraceSettings } from './trace-settings.ts'

/** How many ms a process that ends waits at most for its last spans to be sent. */
const patienceMs = 3_000

/**
 * Turns traces on; the returned function turns them off. Call this before a database or server is created, because each of them
 * checks only once, at its creation, whether traces are on.
 */
export async function startTraces(
  environment: Record<string, string | undefined>,
  log: Log,
): Promise<() => Promise<void>> {
  const settings = readTraceSettings(environment)
  if ('off' in settings) {
    if (settings.why !== null) log.warn({ why: settings.why }, 'no traces are made')
    return async () => undefined
  }
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { tracer, stop } = await openTelemetry(settings, log)
  setTracer(tracer)
  return async () => {
    setTracer(null)
    await Promise.race([stop().catch(() => undefined), wait(patienceMs, undefined, { ref: false })])
  }
}
