// In charge of the one connection over which a page is told what changes: opened, kept, renewed, opened again when lost.
import { refused } from '@atelier/contract/wire/calls.ts'
import type { Change } from '@atelier/contract/wire/events.ts'
import { createEventParser } from './event-parser.ts'
import { dropBearer, renewedBearer } from './session.ts'
import { createStore, useStore } from './store.ts'

/** Changes, or word that some may have gone by unseen. */
export type Told = readonly Change[] | 'missed'

/** `lost`: it was tried again at once, in vain. `off`: nobody is signed in, or nobody looks. */
type LiveState = 'off' | 'connecting' | 'live' | 'lost'
const state = createStore<LiveState>('off')
const listeners = new Set<(told: Told) => void>()

export const isLive = (): boolean => state.get() === 'live'
export const onLiveState = state.subscribe
export const useLiveState = (): LiveState => useStore(state, (value) => value)

/** Calls when the service may be reached again: the browser is back on a network, or the connection stands again. */
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

/** How often something may have gone by unseen: what was read before the last time is read whole again. */
let gaps = 0
export const gapsSoFar = (): number => gaps

/** The service sends something every 15 seconds. */
const silenceMs = 40_000
/** Pages that nobody has looked at for so long let go: browsers allow few connections to one service. */
const hiddenMs = 30_000
const longestWaitMs = 15_000
/** One that ended sooner is no reason to come back at once. */
const shortMs = 3_000

/** Whether this page has had a connection, or has tried in vain: before that nothing can have been missed. */
let isFirst = true

/** Keeps the connection for as long as the page is looked at, until the returned function is called. */
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
    // A connection that worked is opened again at once: its token expired, or a proxy closed it.
    failures = wasOpened && performance.now() - began > shortMs ? 0 : failures + 1
    if (failures > 0) {
      isFirst = false
      state.set('lost')
      await pause(Math.min(longestWaitMs, 500 * 2 ** failures) * (0.75 + Math.random() / 2), over)
    }
  }
}

/** Resolves when a connection that was opened has ended; throws where none came about. */
async function connection(over: AbortSignal): Promise<boolean> {
  const { token, renewAt } = await renewedBearer()
  const ending = new AbortController()
  const end = () => ending.abort()
  over.addEventListener('abort', end, { once: true })
  const renewal = setTimeout(end, Math.max(0, renewAt - Date.now()))
  let silence = setTimeout(end, silenceMs)
  try {
    const answer = await fetch('/api/v1/events', {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
      cache: 'no-store',
    })
    if (answer.status === 401) dropBearer()
    if (!answer.ok || !answer.body) throw refused(answer.status, await answer.text())
    state.set('live')
    // What happened while there was no connection was told to nobody.
    if (!isFirst) tell('missed')
    isFirst = false
    const parse = createEventParser()
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    // A connection that breaks off has ended like any other.
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
      if (done || value === undefined) return true
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
      for (const event of parse(value)) {
        if (event.name === 'missed') tell('missed')
        else if (event.name === 'changed') tell(JSON.parse(event.data).changes)
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

/** Until the time is over, the network is back, or the page ends. */
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
