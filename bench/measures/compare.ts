// In charge of comparing the service under load with the floor, a bare server that sends the same statements. Service and floor
// take turns, so that other load on the machine affects both.
import type { Ask } from '../line.ts'
import type { Cpu } from '../processes.ts'
import { median, type Result } from '../report.ts'
import type { Stage } from '../stage.ts'

const connections = 16

type Round = { perSecond: number; p99: number; cpu: number }
type Lane = { asks: Ask[]; cpu: Cpu }

/**
 * What else is measured in the same rounds. `before`: requests to the service of another checkout; null if there is none.
 * `cheapest`: requests to the bare server that execute the cheapest possible statements. `aimBefore`: the least ratio between the
 * requests per second of the service and those of `before` that counts as success.
 */
export type Beside = { before?: Ask[] | null; cheapest?: Ask[]; aimBefore?: number }

/**
 * Compares the service (`ours`) with the bare server (`floor`): requests per second (the service should reach at least 0.9 times
 * those of the bare server), 99th percentiles and processor time per request. Values and ratios are medians over all rounds.
 */
export async function compareLoad(
  stage: Stage,
  what: string,
  ours: Ask[],
  floor: Ask[],
  { before, cheapest, aimBefore = 2 }: Beside = {},
): Promise<Result[]> {
  const { seconds, rounds } = stage.settings
  const lanes = {
    floor: { asks: floor, cpu: stage.floorCpu },
    ours: { asks: ours, cpu: stage.ours.cpu },
    ...(before && stage.before ? { before: { asks: before, cpu: stage.before.cpu } } : {}),
    ...(cheapest ? { cheapest: { asks: cheapest, cpu: stage.floorCpu } } : {}),
  }
  const run = async ({ asks, cpu }: Lane, time = seconds): Promise<Round> => {
    const start = cpu() ?? Number.NaN
    const { perSecond, p99, count } = await stage.load({ asks, connections, seconds: time })
    return { perSecond, p99, cpu: ((cpu() ?? Number.NaN) - start) / count }
  }
  const names = Object.keys(lanes)
  const all: Record<string, Round>[] = []
  for (const lane of Object.values(lanes)) await run(lane, 1)
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every second round, so that no server always comes after the same other server.
    const turn: Record<string, Round> = {}
    for (const [name, lane] of round % 2 === 0 ? Object.entries(lanes) : Object.entries(lanes).toReversed()) {
      turn[name] = await run(lane)
    }
    all.push(turn)
  }
  const middle = (member: keyof Round, other: string) => {
    const of = (name: string) => all.map((turn) => turn[name]?.[member] ?? Number.NaN)
    const floors = of(other)
    return {
      ours: median(of('ours')),
      floor: median(floors),
      ratio: median(of('ours').map((one, at) => one / (floors[at] ?? 1))),
    }
  }
  const against = (other: string, said: string, aim?: Result['aim']): Result[] => [
    { what: `${what}: requests/s${said}`, unit: '/s', ...middle('perSecond', other), ...(aim ? { aim } : {}) },
    { what: `${what}: 99th percentile${said}`, unit: 'ms', ...middle('p99', other) },
    { what: `${what}: processor time of the server${said}`, unit: 'ms', ...middle('cpu', other) },
  ]
  return [
    ...against('floor', '', { atLeast: 0.9 }),
    ...(names.includes('before') ? against('before', ', against before', { atLeast: aimBefore }) : []),
    ...(names.includes('cheapest') ? against('cheapest', ', against the cheapest statement') : []),
  ]
}

/** A list of 1,000 requests: `write` once in the middle, and the given ones in turn at all other places. */
export const withWrites = (asks: Ask[], write: Ask): Ask[] =>
  Array.from({ length: 1000 }, (_, at) => (at === 500 ? write : (asks[at % asks.length] ?? write)))
