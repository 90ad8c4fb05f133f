// In charge of work that can wait until the page has nothing better to do.

/** Does it once the browser is idle, two seconds from now at the latest; answers how to call it off. For effects. */
export function whenIdle(work: () => void): () => void {
  // Safari has none.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 300)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(work, { timeout: 2_000 })
  return () => cancelIdleCallback(asked)
}
