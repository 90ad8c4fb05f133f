// In charge of `npm run soak -- [--minutes 30] [--database postgres|embedded] [--seed 1]`: sends mixed traffic for a long time, at
// half of the highest rate that the service reaches. Exits with 1 if memory, open files or latencies grow, or if a request fails.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { killChildren } from '../server/test/support/child.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { startServing } from '../server/test/support/serving.ts'
import { type Inside, lookInto } from './soak/inside.ts'
import { createTraffic, type Sent, type Traffic } from './soak/traffic.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, database: { type: 'string' }, seed: { type: 'string' } },
})
const minutes = Number(values.minutes ?? 30)
const seed = Number(values.seed ?? 1)
const databases = values.database === undefined ? ['embedded', 'postgres'] : [values.database]

/**
 * Limits for growth in the last two thirds of the time, when caches are full and code is compiled. `p95Growth`: the 95th percentile
 * of the latencies in the second half of this time, divided by that in its first half.
 */
const bounds = { heapMbPerMinute: 1, handlesPerMinute: 1, p95Growth: 1.5 }
const watchers = 20
const looks = 60
const clients = 8

type Sample = Inside & { minute: number; perSecond: number; p50: number; p95: number; p99: number }

try {
  for (const database of databases) {
    const faults = database === 'postgres' ? await onPostgres() : await soak({ ATELIER_DATA_DIR: '' })
    for (const fault of faults) console.log(`  ! ${fault}`)
    console.log(`${faults.length} faults`)
    if (faults.length > 0) process.exitCode = 1
  }
} finally {
  await killChildren()
}

async function onPostgres(): Promise<string[]> {
  const cluster = await startCluster({ durable: true })
  try {
    return await soak({ DATABASE_URL: cluster.url })
  } finally {
    await cluster.remove()
  }
}

async function soak(environment: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-soak-'))
  const serving = await startServing({
    ...{ ...environment, ATELIER_DATA_DIR: folder, LOG_LEVEL: 'error', NODE_OPTIONS: '--inspect-port=0' },
    ...{ ATELIER_RATE_LIMIT: '0', ATELIER_ADDRESS_RATE_LIMIT: '0' },
  })
  try {
    const traffic = await createTraffic(serving.url, serving.access, seed)
    const inside = await lookInto(serving)
    const most = await fullLoad(traffic)
    const perSecond = most / 2
    const where = environment.DATABASE_URL ? 'PostgreSQL' : 'embedded'
    console.log(`Soak on ${where}: ${minutes} min at ${perSecond.toFixed(0)} a second, half of ${most.toFixed(0)}`)
    const stop = new AbortController()
    const ended = Array.from({ length: watchers }, () => traffic.listen(stop.signal).catch(() => undefined))
    const faults: string[] = []
    const samples: Sample[] = []
    for (let at = 0; at < looks; at += 1) {
      const sent = await steadily(traffic, perSecond, (minutes * 60) / looks)
      const sample = {
        minute: ((at + 1) * minutes) / looks,
        ...figures(sent, (minutes * 60) / looks),
        ...(await inside.look()),
      }
      samples.push(sample)
      console.log(lineOf(sample))
      faults.push(...sent.flatMap(({ kind, failure }) => (failure === null ? [] : [`${kind}: ${failure}`])).slice(0, 5))
    }
    stop.abort()
    await Promise.all(ended)
    inside.close()
    return [...faults, ...growth(samples)]
  } finally {
    serving.kill('SIGTERM')
    await serving.ended
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns how many pieces of work the clients do per second if each client begins its next piece as soon as its last one has ended.
 */
async function fullLoad(traffic: Traffic): Promise<number> {
  const seconds = Math.min(20, minutes * 6)
  const end = performance.now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (; performance.now() < end; count += 1) await traffic.send()
    }),
  )
  return count / seconds
}

/** Sends traffic at a steady rate, without waiting for earlier responses: otherwise a slow service would lower the rate. */
async function steadily(traffic: Traffic, perSecond: number, seconds: number): Promise<Sent[]> {
  const started = performance.now()
  const all: Promise<Sent>[] = []
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * perSecond
    while (all.length < due) all.push(traffic.send())
    await wait(5)
  }
  return Promise.all(all)
}

function figures(sent: readonly Sent[], seconds: number) {
  const times = sent.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: sent.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function lineOf({ minute, perSecond, p50, p95, p99, heapMb, externalMb, rssMb, handles, sockets }: Sample): string {
  const ms = [p50, p95, p99].map((value) => value.toFixed(1)).join(' / ')
  const memory = `heap ${heapMb.toFixed(1)} MB, buffers ${externalMb.toFixed(1)} MB, resident ${rssMb.toFixed(0)} MB`
  return `  ${minute.toFixed(1).padStart(5)} min  ${perSecond.toFixed(0)}/s  p50/p95/p99 ${ms} ms  ${memory}  ${handles} handles, ${sockets} sockets`
}

/** Returns a sentence for everything that grew by more than its limit over the last two thirds of the time. */
function growth(samples: readonly Sample[]): string[] {
  const late = samples.slice(Math.floor(samples.length / 3))
  const half = Math.floor(late.length / 2)
  const heap = slope(late, ({ heapMb }) => heapMb)
  const handles = slope(late, (sample) => sample.handles)
  const median = (part: readonly Sample[]): number =>
    part.map(({ p95 }) => p95).toSorted((a, b) => a - b)[part.length >> 1] ?? 0
  const p95 = median(late.slice(half)) / median(late.slice(0, half))
  console.log(`  heap ${heap.toFixed(3)} MB a minute, handles ${handles.toFixed(3)} a minute, p95 × ${p95.toFixed(2)}`)
  return [
    ...(heap < bounds.heapMbPerMinute ? [] : [`the heap grows by ${heap.toFixed(2)} MB a minute`]),
    ...(handles < bounds.handlesPerMinute ? [] : [`open files grow by ${handles.toFixed(2)} a minute`]),
    ...(p95 < bounds.p95Growth ? [] : [`the 95th percentile grew × ${p95.toFixed(2)}`]),
  ]
}

/** Returns by how much the value `of` grows per minute: the slope of the line fitted to the samples by least squares. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(of))]
  const over = samples.reduce((sum, sample) => sum + (sample.minute - x) * (of(sample) - y), 0)
  const under = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  return over / under
}
