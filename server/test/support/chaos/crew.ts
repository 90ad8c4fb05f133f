// In charge of the worker processes of the chaos test: starting, killing and freezing them, and recording how each of them ended.
import { setTimeout as wait } from 'node:timers/promises'
import { type CrashPoint, crashPoints } from '../../../src/engine/work/crash-points.ts'
import { type Child, startChild } from '../child.ts'
import type { WorkerOrders } from './worker.ts'

type Freeze = { name: string; from: number; to: number }

export type Crew = {
  /** Crash point → number of workers that died there. */
  crashes: Record<CrashPoint, number>
  /** Number of workers that `kill` has killed. */
  kills(): number
  freezes: readonly Freeze[]
  /** The error lines of the workers' logs, and a line for each worker that ended although nothing killed it. */
  errors: readonly string[]
  /** Kills a random worker, except one whose crash point no worker has reached yet; a new worker replaces it. */
  kill(): Promise<void>
  /** Freezes one of the workers with these names for `ms` milliseconds, then lets it continue. */
  freeze(names: readonly string[], ms: number): Promise<void>
  /** Replaces the workers that have a crash point. From now on new workers have no crash point, and their clocks are right. */
  calm(): Promise<void>
  end(): Promise<void>
}

type Member = { child: Child; name: string; crashPoint: CrashPoint | null; killed: boolean; frozen: boolean }

export async function startCrew(
  orders: Omit<WorkerOrders, 'crashAt' | 'skewMs'>,
  size: number,
  random: () => number,
): Promise<Crew> {
  const crashes = { ...zeroes }
  const freezes: Freeze[] = []
  const errors: string[] = []
  const members = new Set<Member>()
  const starting = new Set<Promise<void>>()
  let kills = 0
  let isCalm = false
  let isOver = false

  /** The next worker's crash point: roughly the one with the fewest deaths. Null (no crash) at random, and after `calm`. */
  const nextPoint = (): CrashPoint | null => {
    if (isCalm || random() < (Object.values(crashes).every((times) => times > 0) ? 0.6 : 0.2)) return null
    const armed = new Set([...members].map(({ crashPoint }) => crashPoint))
    const hits = (point: CrashPoint) => crashes[point] + (armed.has(point) ? 0.5 : 0) + random() / 4
    return crashPoints.toSorted((a, b) => hits(a) - hits(b))[0] ?? null
  }
  const start = async (): Promise<void> => {
    const crashPoint = nextPoint()
    const count = 1 + Math.floor(random() * (crashPoint && crashes[crashPoint] === 0 ? 1 : 4))
    const told: WorkerOrders = {
      ...orders,
      crashAt: crashPoint === null ? '' : `${crashPoint}:${count}`,
      skewMs: isCalm ? 0 : Math.round((random() - 0.5) * 6 * 86_400_000),
    }
    const child = startChild('server/test/support/chaos/worker.ts', [JSON.stringify(told)])
    const member: Member = { child, name: '', crashPoint, killed: false, frozen: false }
    members.add(member)
    void child.ended.then(({ signal, code }) => {
      members.delete(member)
      errors.push(...linesOf(child.stdout()).filter((line) => line.includes('"level":50')))
      if (signal === 'SIGKILL' && !member.killed && crashPoint !== null) crashes[crashPoint] += 1
      // If a worker ends before it has printed its name, this is no error: the database was down when the worker started.
      else if (!member.killed && !isOver && member.name !== '')
        errors.push(`A worker ended (${code ?? signal}): ${child.stderr()}`)
      if (!isOver) begin()
    })
    const printed = await child.printed(/working as (\S+)/).catch(() => null)
    member.name = printed?.[1] ?? ''
  }
  const begin = (): void => {
    const started = start().finally(() => starting.delete(started))
    starting.add(started)
  }
  const pick = (is: (member: Member) => boolean = () => true): Member | undefined => {
    const able = [...members].filter((member) => member.name !== '' && !member.frozen && !member.killed && is(member))
    return able[Math.floor(random() * able.length)]
  }
  const killOne = async (member: Member): Promise<void> => {
    member.killed = true
    member.child.kill('SIGKILL')
    await member.child.ended
  }

  for (let count = 0; count < size; count++) begin()
  await Promise.all(starting)
  return {
    crashes,
    kills: () => kills,
    freezes,
    errors,
    async kill() {
      // A worker whose crash point no worker has reached yet is spared, so that it can still die there.
      const member = pick(({ crashPoint }) => crashPoint === null || crashes[crashPoint] > 0)
      if (!member) return
      kills += 1
      await killOne(member)
    },
    async freeze(names, ms) {
      const member = pick(({ name }) => names.includes(name))
      if (!member) return
      member.frozen = true
      const from = Date.now()
      member.child.kill('SIGSTOP')
      await wait(ms)
      member.child.kill('SIGCONT')
      freezes.push({ name: member.name, from, to: Date.now() })
      member.frozen = false
    },
    async calm() {
      isCalm = true
      await Promise.all([...members].filter(({ crashPoint }) => crashPoint !== null).map(killOne))
      await Promise.all(starting)
    },
    async end() {
      isOver = true
      await Promise.all([...members].map(killOne))
    },
  }
}

const zeroes: Record<CrashPoint, number> = {
  claimed: 0,
  'intent-saved': 0,
  called: 0,
  'checkpoint-saved': 0,
  'result-saved': 0,
  'before-park': 0,
  parked: 0,
  'before-rest': 0,
  rested: 0,
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')
