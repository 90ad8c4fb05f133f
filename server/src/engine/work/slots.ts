// In charge of deciding which call begins next in this process. Runs take turns. Calls whose work this process does itself
// are limited in total and for each node type; calls to providers are limited only by the limits of their provider.
import type { NodeType } from '../../nodes/node-type.ts'
import { createFairQueue, type FairQueue } from '../model/fair-queue.ts'
import { reserveOf } from '../model/provider-limits.ts'
import type { AllProviderCalls, HowItEnded, ProviderCalls } from './provider-calls.ts'
import { whenAborted } from './when-aborted.ts'

/** `run`: the id of the run; `provider`: the provider that is called, null if this process computes the call itself. */
export type Caller = { run: string; type: Pick<NodeType, 'type' | 'concurrency'>; provider: string | null }

/** The right to make one call. */
export type Slot = {
  /** Gives the slot back; releasing it again has no effect. */
  release(how: HowItEnded): void
  /** Says that the provider accepts no calls for this many seconds. */
  close(seconds: number): void
}

export type Slots = {
  /**
   * Waits for a slot; rejects with the signal's reason if the signal is aborted while the call waits. `again`: the call is
   * another attempt, so it comes before new calls of the same run.
   */
  acquire(caller: Caller, signal: AbortSignal, again?: boolean): Promise<Slot>
  /**
   * Whether all slots for calls that this process computes itself are in use and any calls wait, so that another process would
   * probably finish a new run sooner.
   */
  isFull(): boolean
}

type Start = () => void
/**
 * The calls that compete for the same slots: those to providers with the same limit, or those of one node type that are
 * computed here.
 */
type Lane = Pick<ProviderCalls, 'isFree' | 'begin' | 'end' | 'close'> & {
  waiting: FairQueue<Start>
  /** Id of a run → how many of its calls are in progress in this lane. */
  runs: Map<string, number>
  want(waiting: number): void
}

export function createSlots(total: number, providers: AllProviderCalls): Slots {
  const lanes = new Map<string, Lane>()
  const computing = { used: 0 }
  const laneOf = ({ type, provider }: Caller): Lane => {
    const name = provider === null ? type.type : providers.nameOf(provider)
    const key = `${provider === null ? 'type' : 'provider'} ${name}`
    const lane = lanes.get(key) ?? {
      ...(provider === null ? places(type.concurrency, total, computing) : providers.of(provider)),
      ...{ waiting: createFairQueue<Start>(), runs: new Map<string, number>() },
    }
    lanes.set(key, lane)
    return lane
  }
  /** Begins all calls that may begin. The lanes take turns, and one call begins in each turn. */
  const next = (): void => {
    for (let isMoving = true; isMoving; ) {
      isMoving = false
      for (const [key, lane] of lanes) {
        const start = takeOf(lane)
        if (!start) continue
        // The lane has had its turn, so it moves to the end of the order.
        lanes.delete(key)
        lanes.set(key, lane)
        start()
        isMoving = true
        break
      }
    }
    for (const lane of lanes.values()) lane.want(lane.waiting.size)
  }
  providers.onMore(next)

  const slotOf = (lane: Lane, run: string): Slot => {
    lane.begin()
    count(lane, run, 1)
    let held = true
    return {
      release: (how) => {
        if (!held) return
        held = false
        count(lane, run, -1)
        lane.end(how)
        next()
      },
      close: (seconds) => lane.close(seconds),
    }
  }
  return {
    isFull: () => computing.used >= total && [...lanes.values()].some(({ waiting }) => waiting.size > 0),
    acquire: (caller, signal, again = false) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const lane = laneOf(caller)
        let stay = (): void => undefined
        const start: Start = () => {
          stay()
          resolve(slotOf(lane, caller.run))
        }
        const leave = (): void => {
          lane.waiting.remove(caller.run, start)
          reject(signal.reason)
        }
        if (lane.waiting.size === 0 && lane.isFree(hasFew(lane, caller.run))) return start()
        stay = whenAborted(signal, leave)
        lane.waiting.add(caller.run, start, again)
        // Even if other calls already wait, this one may begin if its run has few calls and a reserved slot is free.
        takeOf(lane)?.()
        lane.want(lane.waiting.size)
      }),
  }
}

/** A run with fewer calls in progress than this may use the reserved slots. */
const fewCalls = 2

const hasFew = ({ runs }: Lane, run: string): boolean => (runs.get(run) ?? 0) < fewCalls

function count({ runs }: Lane, run: string, by: number): void {
  const left = (runs.get(run) ?? 0) + by
  if (left === 0) runs.delete(run)
  else runs.set(run, left)
}

/** Takes the waiting call that may begin next; undefined if none may. */
function takeOf(lane: Lane): Start | undefined {
  if (lane.waiting.size === 0 || !lane.isFree(true)) return undefined
  const isRoomy = lane.isFree(false)
  return lane.waiting.take((run) => isRoomy || hasFew(lane, run))
}

/** The slots for calls that this process computes: at most `most` for one node type, and `total` for all types together. */
function places(most: number, total: number, all: { used: number }): Omit<Lane, 'waiting' | 'runs'> {
  let used = 0
  return {
    isFree: (few) => all.used < (few ? total : total - reserveOf(total)) && used < most,
    begin: () => {
      used += 1
      all.used += 1
    },
    end: () => {
      used -= 1
      all.used -= 1
    },
    close: () => undefined,
    want: () => undefined,
  }
}
