// In charge of generating load in a separate process: on many connections for throughput, or one request at a time for latency.
import { createInterface } from 'node:readline'
import { type Ask, bytesOf, type Line, openLine } from './line.ts'

/**
 * `load`: each of the `connections` sends its next request as soon as the last one is answered. `alternate`: one request at a time,
 * to each lane (a list of requests) in turn, until `seconds` are over and each lane has at least `atLeast` counted requests.
 */
export type Command =
  | { kind: 'load'; asks: Ask[]; connections: number; seconds: number }
  | { kind: 'alternate'; lanes: Ask[][]; seconds: number; atLeast: number }

export type LoadResult = { perSecond: number; p50: number; p99: number; count: number }
/** The latencies of one lane, in ms. */
export type LaneResult = { p50: number; p99: number; count: number }

const lines = new Map<number, Line[]>()

/** Connections stay open between commands, so that no measurement includes opening them. */
async function linesTo(port: number, count: number): Promise<Line[]> {
  const open = (lines.get(port) ?? []).filter((line) => line.isOpen())
  while (open.length < count) open.push(await openLine(port))
  lines.set(port, open)
  return open.slice(0, count)
}

async function load({ asks, connections, seconds }: Extract<Command, { kind: 'load' }>): Promise<LoadResult> {
  const all = asks.map(bytesOf)
  const open = await linesTo(asks[0]?.port ?? 0, connections)
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  let turn = 0
  const keepAsking = async (line: Line): Promise<void> => {
    while (performance.now() < end) times.push(await line.ask(all[turn++ % all.length] ?? Buffer.alloc(0)))
  }
  await Promise.all(open.map(keepAsking))
  const perSecond = times.length / ((performance.now() - started) / 1000)
  return { perSecond, ...percentiles(times), count: times.length }
}

/** The number of turns at the start that are not counted, because servers prepare statements and choose query plans in them. */
const settling = 8

async function alternate(command: Extract<Command, { kind: 'alternate' }>): Promise<LaneResult[]> {
  const lanes = await Promise.all(
    command.lanes.map(async (asks) => {
      const [line] = await linesTo(asks[0]?.port ?? 0, 1)
      if (!line) throw new Error('No connection.')
      return { line, all: asks.map(bytesOf), times: [] as number[] }
    }),
  )
  const end = performance.now() + command.seconds * 1000
  for (let turn = 0; turn < settling + command.atLeast || performance.now() < end; turn++) {
    for (const { line, all, times } of lanes) {
      const ms = await line.ask(all[turn % all.length] ?? Buffer.alloc(0))
      if (turn >= settling) times.push(ms)
    }
  }
  return lanes.map(({ times }) => ({ ...percentiles(times), count: times.length }))
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(times).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

for await (const text of createInterface({ input: process.stdin })) {
  const command: Command = JSON.parse(text)
  const result = await (command.kind === 'load' ? load(command) : alternate(command)).catch((error: unknown) => {
    // Other requests may still wait for responses on these connections, so the next command opens new ones.
    for (const line of [...lines.values()].flat()) line.close()
    lines.clear()
    return { error: String(error) }
  })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
process.exit()
