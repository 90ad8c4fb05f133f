// In charge of what many waiting calls do when the signal that they share is aborted. A signal compares each new listener with all that
// it has: 200,000 calls that each listen for themselves take minutes of processor time. So there is one listener for each signal.

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `act` once the signal is aborted. The returned function takes this back. */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const acts = waiting.get(signal) ?? listenTo(signal)
  acts.add(act)
  return () => acts.delete(act)
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>()
  waiting.set(signal, acts)
  const actAll = (): void => {
    for (const act of acts) act()
    acts.clear()
  }
  signal.addEventListener('abort', actAll, { once: true })
  return acts
}
