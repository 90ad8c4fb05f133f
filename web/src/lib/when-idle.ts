// In charge of work that is done when the browser is idle.

/** Does the work once the browser is idle, after two seconds at the latest; returns a function that cancels it, for effects. */
export function whenIdle(work: () => void): () => void {
  // Safari does not have `requestIdleCallback`.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 300)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: 2_000 })
  return () => cancelIdleCallback(asked)
}
