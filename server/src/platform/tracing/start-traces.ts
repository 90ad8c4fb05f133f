// In charge of turning traces on for this process where the environment asks for them, and of sending the last ones at its end.
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { setTracer } from './spans.ts'
import { readTraceSettings } from './trace-settings.ts'

/** The end of a process does not wait longer for whoever takes traces. */
const patienceMs = 3_000

/** Before a database is opened or a server made: those look once whether traces are on. The returned function ends them. */
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
