// In charge of counting events that an operator may have to react to. Each event is counted in the code where it happens, and
// `/metrics` shows the counts. There is one registry per process, so that counters need not be passed around.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export const countsRegistry = new Registry()
const registers = [countsRegistry]

/** Makes a counter with one label. It starts at 0 for each known value of the label, so that Prometheus sees the first increase. */
function counterBy<Value extends string>(name: string, help: string, label: string, values: readonly Value[]) {
  const counter = new Counter({ name: `atelier_${name}`, help, labelNames: [label], registers })
  for (const value of values) counter.inc({ [label]: value }, 0)
  return (value: Value, by = 1): void => counter.inc({ [label]: value }, by)
}

/** The label is not called `job`, because Prometheus sets a label of that name itself. */
const jobLabel = 'periodic_job'
const jobDone = new Gauge({
  name: 'atelier_job_last_success_timestamp_seconds',
  help: 'When a periodic job of this process last did its work.',
  labelNames: [jobLabel],
  registers,
})
const jobFailed = new Counter({
  name: 'atelier_job_failures_total',
  help: 'Turns of a periodic job of this process that failed.',
  labelNames: [jobLabel],
  registers,
})
/** Records that a periodic job has ended: the time if it succeeded, otherwise one more failure. */
export function countJob(job: string, isDone: boolean): void {
  jobFailed.inc({ [jobLabel]: job }, isDone ? 0 : 1)
  if (isDone) jobDone.set({ [jobLabel]: job }, Date.now() / 1000)
}

/** `answered`: a successful response; `refused`: a response with another status; `failed`: no complete response. */
type CallOutcome = 'answered' | 'refused' | 'failed'
const providerCalls = new Histogram({
  name: 'atelier_provider_call_duration_seconds',
  help: 'Paid requests of this process to providers, by what came back.',
  labelNames: ['provider', 'outcome'],
  buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
  registers,
})
export const countProviderCall = (provider: string, outcome: CallOutcome, ms: number): void =>
  providerCalls.observe({ provider, outcome }, ms / 1000)

/** The outcomes have the same names as in the ledger. A person has to look into every entry with the outcome `unknown`. */
export const countLedgerEntries = counterBy(
  'ledger_entries_total',
  'Entries of paid calls that this process closed, by outcome; an unknown one may have been paid for.',
  'outcome',
  ['charged', 'unknown'],
)

const credits = new Counter({
  name: 'atelier_ledger_credits_total',
  help: 'Credits charged by entries that this process closed.',
  registers,
})
export const countCredits = (by: number): void => credits.inc(by)

export const countCacheLookups = counterBy(
  'cache_lookups_total',
  'Units whose outputs were looked for among kept ones.',
  'result',
  ['hit', 'miss'],
)

export const countRecoveredRun = counterBy(
  'runs_recovered_total',
  'Runs that this process took from lost workers or from cancels that were ignored, by what became of them.',
  'outcome',
  ['requeued', 'cancelled', 'failed'],
)

export const countWebhookMessage = counterBy(
  'webhook_messages_total',
  "Messages of the identity provider's webhook, by what was done with them.",
  'outcome',
  ['taken', 'repeated', 'refused'],
)

export const countRateLimited = counterBy(
  'rate_limited_total',
  'Requests refused for being too many, by the limit that was reached.',
  'limit',
  ['address', 'caller', 'sign_ins', 'event_streams', 'uploads', 'notice_tests'],
)

const messages = new Counter({
  name: 'atelier_messages_total',
  help: 'Tries of this process to send messages of notices, by what came of them.',
  labelNames: ['channel', 'outcome'],
  registers,
})
/** The outcome `put_off` means that the message will be sent later. */
export const countMessage = (
  channel: 'mail' | 'chat',
  outcome: 'sent' | 'put_off' | 'refused' | 'given_up' | 'unneeded',
  by = 1,
): void => messages.inc({ channel, outcome }, by)
for (const channel of ['mail', 'chat'] as const)
  for (const outcome of ['sent', 'put_off', 'refused', 'given_up', 'unneeded'] as const)
    countMessage(channel, outcome, 0)

export const countFileFailure = counterBy(
  'file_failures_total',
  'Reads and writes of files that failed: their store was away, or the bytes of a file are gone.',
  'reason',
  ['unavailable', 'gone'],
)

const streams = new Gauge({ name: 'atelier_event_streams', help: 'Open streams of live events.', registers })
const overrun = new Counter({
  name: 'atelier_event_streams_overrun_total',
  help: 'Streams of live events that were ended because their reader did not keep up.',
  registers,
})
/** Counts a stream of live events that has been opened; the returned function counts the stream's end. */
export function countStream(): (how: { isOverrun: boolean }) => void {
  streams.inc()
  return ({ isOverrun }) => {
    streams.dec()
    overrun.inc(isOverrun ? 1 : 0)
  }
}
