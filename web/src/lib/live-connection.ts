// In charge of the connection over which the service reports changes: opening it, renewing it, and reopening it after failures.
import { refused } from '@atelier/contract/wire/calls.ts'
import type { Change, ChangeEvent } from '@atelier/contract/wire/events.ts'
import { createEventParser } from './event-parser.ts'
import { dropBearer, greatestAge, renewedBearer } from './session.ts'
import { createStore, useStore } from './store.ts'

/** Changes that the service has reported, or `missed` if some changes may not have been reported to this page. */
export type Told = readonly Change[] | 'missed'

/**
 * `lost`: the connection could not be opened or lasted less than `shortMs`, and another attempt follows. `off`: nobody is signed
 * in, or the page has been invisible for `hiddenMs`.
 */
type LiveState = 'off' | 'connecting' | 'live' | 'lost'
const state = createStore<LiveState>('off')
const listeners = new Set<(told: Told) => void>()

export const isLive = (): boolean => state.get() === 'live'
export const onLiveState = state.subscribe
export const useLiveState = (): LiveState => useStore(state, (value) => value)

/** Calls the listener when requests may succeed again, because the browser is online again or the connection is open again. */
export function onReachable(listener: () => void): () => void {
  const stop = state.subscribe(() => {
    if (isLive()) listener()
  })
  addEventListener('online', listener)
  return () => {
    stop()
    removeEventListener('online', listener)
  }
}

export function listenLive(listener: (told: Told) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The number of gaps so far in which changes may have been missed. Data that was read before the latest gap may be outdated. */
let gaps = 0
export const gapsSoFar = (): number => gaps

/** The events that carry changes, as members of a record, so that the compiler finds an event that is left out. */
const changeEvents: Record<ChangeEvent, true> = {
  changed: true,
  noticed: true,
  template_changed: true,
  money_changed: true,
  token_changed: true,
}

/** Without any data for this long, the connection counts as broken; the service sends something every 15 seconds. */
const silenceMs = 40_000
/** A page that was invisible for this long closes its connection, because browsers allow only a few connections to one server. */
const hiddenMs = 30_000
const longestWaitMs = 15_000
/** After a connection that lasted less than this, the page waits before it opens another one. */
const shortMs = 3_000
/** The greatest `age_ms` that the service accepts. It remembers changes only briefly, and reports `missed` for older ones. */
const greatestMs = 86_400_000

/**
 * True until a connection was opened or an attempt has failed. Until then, the page has only just read its data, so the first
 * connection asks only for what has changed since the page began to read, and the page does not read everything again.
 */
let isFirst = true

/** Keeps the connection open while the page is visible; returns a function that closes it for good. */
export function keepLive(): () => void {
  let going: AbortController | null = null
  let hiding: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    if (going) return
    going = new AbortController()
    void stayConnected(going.signal)
  }
  const end = () => {
    going?.abort()
    going = null
    state.set('off')
  }
  const look = () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(end, hiddenMs)
    else begin()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(hiding)
    end()
  }
}

async function stayConnected(over: AbortSignal): Promise<void> {
  state.set('connecting')
  for (let failures = 0; !over.aborted; ) {
    const began = performance.now()
    const wasOpened = await connection(over).catch(() => false)
    if (over.aborted) return
    // A connection that lasted longer than `shortMs` is opened again at once: its token had to be renewed, or a proxy closed it.
    failures = wasOpened && performance.now() - began > shortMs ? 0 : failures + 1
    if (failures > 0) {
      isFirst = false
      state.set('lost')
      await pause(Math.min(longestWaitMs, 500 * 2 ** failures) * (0.75 + Math.random() / 2), over)
    }
  }
}

/** Opens a connection and resolves with true when it has ended; throws an error if it could not be opened. */
async function connection(over: AbortSignal): Promise<boolean> {
  const { token, renewAt } = await renewedBearer()
  const ending = new AbortController()
  const end = () => ending.abort()
  over.addEventListener('abort', end, { once: true })
  const renewal = setTimeout(end, Math.max(0, renewAt - Date.now()))
  let silence = setTimeout(end, silenceMs)
  try {
    const since = isFirst ? `?age_ms=${Math.min(greatestMs, Math.ceil(greatestAge()))}` : ''
    const answer = await fetch(`/api/v1/events${since}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
      cache: 'no-store',
    })
    if (answer.status === 401) dropBearer()
    if (!answer.ok || !answer.body) throw refused(answer.status, await answer.text())
    state.set('live')
    // Changes that happened while there was no connection have not been reported to this page.
    if (!isFirst) tell('missed')
    isFirst = false
    const parse = createEventParser()
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    // A connection that breaks is treated like one that ends normally.
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done || value === undefined) return true
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
      for (const event of parse(value)) {
        if (event.name === 'missed') tell('missed')
        else if (Object.hasOwn(changeEvents, event.name)) tell(JSON.parse(event.data).changes)
      }
    }
  } finally {
    over.removeEventListener('abort', end)
    clearTimeout(renewal)
    clearTimeout(silence)
    end()
  }
}

function tell(told: Told): void {
  if (told === 'missed') gaps += 1
  for (const listener of listeners) listener(told)
}

/** Waits for `ms` milliseconds, or less if the browser is online again earlier, or if `over` ends the connection for good. */
function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      over.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    over.addEventListener('abort', done)
  })
}
