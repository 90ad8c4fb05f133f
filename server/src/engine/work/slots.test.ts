// Facts about which call of a process begins next.
import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { reserveOf } from '../model/provider-limits.ts'
import type { AllProviderCalls, ProviderCalls } from './provider-calls.ts'
import { type Caller, createSlots, type Slot, type Slots } from './slots.ts'

/** Providers that each allow `most` calls at a time, all of them to this process. */
function providersOf(most: number): AllProviderCalls {
  const byName = new Map<string, ProviderCalls>()
  const create = (): ProviderCalls => {
    let used = 0
    return {
      isFree: (few) => used < (few ? most : most - reserveOf(most)),
      begin: () => {
        used += 1
      },
      end: () => {
        used -= 1
      },
      close: () => undefined,
      want: () => undefined,
    }
  }
  return {
    nameOf: (provider) => provider,
    of: (name) => {
      const calls = byName.get(name) ?? create()
      byName.set(name, calls)
      return calls
    },
    ...{ onMore: () => undefined, renew: async () => undefined, start: async () => undefined },
  }
}

const free = (run: string, type = 'free', concurrency = 16): Caller => ({
  run,
  type: { type, concurrency },
  provider: null,
})
const paid = (run: string): Caller => ({ run, type: { type: 'paid', concurrency: 1 }, provider: 'host' })

let slots: Slots
let begun: { name: string; slot: Slot }[]
beforeEach(() => {
  slots = createSlots(2, providersOf(3))
  begun = []
})

/** Requests slots for calls in this order; each call is added to `begun` once it has a slot. */
async function want(...callers: (Caller & { again?: boolean })[]): Promise<void> {
  for (const caller of callers) {
    const name = `${caller.run} ${caller.type.type}`
    void slots.acquire(caller, new AbortController().signal, caller.again).then((slot) => begun.push({ name, slot }))
  }
  await Promise.resolve()
}
const names = (): string[] => begun.map(({ name }) => name)
async function release(at: number): Promise<void> {
  begun[at]?.slot.release('worked')
  await Promise.resolve()
}
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

test('calls of a provider are bound by the provider, and keep nothing that is computed here waiting', async () => {
  await want(...times(9, paid('big')), free('small'))
  expect(names()).toEqual(['big paid', 'big paid', 'big paid', 'small free'])
})

test('what is computed here keeps no call of a provider waiting', async () => {
  await want(...times(9, free('big')), paid('small'))
  expect(names()).toEqual(['big free', 'big free', 'small paid'])
  expect(slots.isFull()).toBe(true)
})

test.for([
  ['a provider', paid],
  ['this process', free],
] as const)('runs take turns at what %s takes', async ([, call]) => {
  await want(...times(9, call('big')), ...times(2, call('small')), call('third'))
  const first = begun.length
  for (let at = 0; at < 5; at++) await release(at)
  expect(
    names()
      .slice(first)
      .map((name) => name.split(' ')[0]),
  ).toEqual(['big', 'small', 'third', 'big', 'small'])
})

test.for([
  ['a provider', paid, 16],
  ['this process', free, 8],
] as const)(
  'a large run does not fill what %s takes to the last: a small one begins at once',
  async ([, call, all]) => {
    slots = createSlots(8, providersOf(16))
    await want(...times(40, call('large')))
    expect(begun).toHaveLength(all - all / 8)
    await want(call('small'))
    expect(names().at(-1)).toMatch(/^small/)
    // Several large runs together do not get more slots than there are.
    await want(...times(40, call('another')))
    expect(begun.length).toBeLessThanOrEqual(all)
  },
)

test('an attempt that has waited comes before what is new of its run', async () => {
  slots = createSlots(1, providersOf(1))
  await want(paid('run'), paid('run'), { ...paid('run'), type: { type: 'retry', concurrency: 1 }, again: true })
  await release(0)
  expect(names()).toEqual(['run paid', 'run retry'])
})

test('a type takes no more places than it may, and others have the rest', async () => {
  await want(free('a', 'heavy', 1), free('a', 'heavy', 1), free('a', 'light'))
  expect(names()).toEqual(['a heavy', 'a light'])
})

describe('a call that is aborted', () => {
  test('is told by one listener of its signal, however many calls wait', async () => {
    const stop = new AbortController()
    const ends = Promise.allSettled(Array.from({ length: 10 }, () => slots.acquire(free('a'), stop.signal)))
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
    stop.abort(new Error('stopped'))
    const statuses = (await ends).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'rejected').length).toBe(8)
  })

  test('while it waits has no turn, and is told why', async () => {
    await want(...times(2, free('a')))
    const stop = new AbortController()
    const waiting = slots.acquire(free('b'), stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    await want(free('c'))
    await release(0)
    expect(names()).toEqual(['a free', 'a free', 'c free'])
  })

  test('gives its slot back once', async () => {
    await want(free('a'), free('b'), free('c'), free('d'))
    await release(0)
    await release(0)
    expect(names()).toEqual(['a free', 'b free', 'c free'])
  })
})
