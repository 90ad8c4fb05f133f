// In charge of doing work when the browser is idle.

/** Does the work when the browser is idle, at the latest after two seconds; returns a function that cancels the work. */
export function whenIdle(work: () => void): () => void {
  // Safari does not have `requestIdleCallback`; there, the work is done after 300 ms.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 300)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: 2_000 })
  return () => cancelIdleCallback(asked)
}
