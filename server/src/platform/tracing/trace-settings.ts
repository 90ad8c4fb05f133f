// In charge of reading the settings for traces, which are OpenTelemetry's standard environment variables. Other variables of the
// standard are read by OpenTelemetry's exporter (endpoint, headers, timeout, compression, certificates) and its resource detector.

export type TraceSettings = {
  protocol: 'http/protobuf' | 'http/json'
  /** The share of traces to keep, from 0 to 1. With `isParentBased`, it applies only to traces that begin in this service. */
  share: number
  /** Whether this service keeps a trace from another service if, and only if, that service keeps it. */
  isParentBased: boolean
}

type Environment = Record<string, string | undefined>

/** The settings, or the fact that traces stay off. `why` is the reason for the log; null if the environment asks for no traces. */
export type Read = TraceSettings | { off: true; why: string | null }

const samplers: Record<string, (argument: number) => Pick<TraceSettings, 'share' | 'isParentBased'>> = {
  always_on: () => ({ share: 1, isParentBased: false }),
  always_off: () => ({ share: 0, isParentBased: false }),
  traceidratio: (share) => ({ share, isParentBased: false }),
  parentbased_always_on: () => ({ share: 1, isParentBased: true }),
  parentbased_always_off: () => ({ share: 0, isParentBased: true }),
  parentbased_traceidratio: (share) => ({ share, isParentBased: true }),
}

/**
 * Reads the settings. An unknown value turns traces off and is logged, but does not stop the start of the service, because
 * platforms set these variables for every program that they run.
 */
export function readTraceSettings(environment: Environment): Read {
  const value = (name: string): string => environment[name]?.trim() ?? ''
  const off = (why: string | null): Read => ({ off: true, why })
  const exporter = value('OTEL_TRACES_EXPORTER')
  const endpoint = value('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || value('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (value('OTEL_SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none') return off(null)
  if (exporter === '' && endpoint === '') return off(null)
  if (exporter !== '' && exporter !== 'otlp') return off(`OTEL_TRACES_EXPORTER is ${exporter}; otlp and none are known`)
  if (endpoint !== '' && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return off('OTEL_EXPORTER_OTLP_ENDPOINT has to be an http or https address, such as http://127.0.0.1:4318')
  const protocol =
    value('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || value('OTEL_EXPORTER_OTLP_PROTOCOL') || 'http/protobuf'
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return off(`OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}; http/protobuf (usually port 4318) and http/json are known`)
  const name = value('OTEL_TRACES_SAMPLER') || 'parentbased_always_on'
  const argument = Number(value('OTEL_TRACES_SAMPLER_ARG') || 1)
  const sampler = samplers[name]
  if (sampler === undefined) return off(`OTEL_TRACES_SAMPLER is ${name}; known are ${Object.keys(samplers).join(', ')}`)
  if (!(argument >= 0 && argument <= 1)) return off('OTEL_TRACES_SAMPLER_ARG has to be a number from 0 to 1')
  return { protocol, ...sampler(argument) }
}
