// In charge of comparing ours with a floor under load: rounds in turns, so that whatever else the machine does meets both.
import type { Ask } from '../line.ts'
import type { Cpu } from '../processes.ts'
import { median, type Result } from '../report.ts'
import type { Stage } from '../stage.ts'

const connections = 16

type Round = { perSecond: number; p99: number; cpu: number }

/** Requests per second (aim: 0.9 of the floor), 99th percentiles, processor time; medians over rounds, the ratios too. */
export async function compareLoad(stage: Stage, what: string, ours: Ask[], floor: Ask[]): Promise<Result[]> {
  const { seconds, rounds } = stage.settings
  const run = async (asks: Ask[], cpu: Cpu, time = seconds): Promise<Round> => {
    const before = cpu() ?? Number.NaN
    const { perSecond, p99, count } = await stage.load({ asks, connections, seconds: time })
    return { perSecond, p99, cpu: ((cpu() ?? Number.NaN) - before) / count }
  }
  const runOurs = (time?: number) => run(ours, stage.ours.cpu, time)
  const runFloor = (time?: number) => run(floor, stage.floorCpu, time)
  await runFloor(1)
  await runOurs(1)
  const all: { ours: Round; floor: Round }[] = []
  for (let round = 0; round < rounds; round++) {
    // Every other round the other way about: neither always follows the other.
    if (round % 2 === 0) all.push({ floor: await runFloor(), ours: await runOurs() })
    else all.push({ ours: await runOurs(), floor: await runFloor() })
  }
  const middle = (member: keyof Round) => ({
    ours: median(all.map((round) => round.ours[member])),
    floor: median(all.map((round) => round.floor[member])),
    ratio: median(all.map((round) => round.ours[member] / round.floor[member])),
  })
  return [
    { what: `${what}: requests/s`, unit: '/s', ...middle('perSecond'), aim: { atLeast: 0.9 } },
    { what: `${what}: 99th percentile`, unit: 'ms', ...middle('p99') },
    { what: `${what}: processor time of the server`, unit: 'ms', ...middle('cpu') },
  ]
}
