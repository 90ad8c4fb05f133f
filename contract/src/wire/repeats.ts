// In charge of the Idempotency-Key of writes whose answer was lost. A person who sends such a write again, as the page asks for, would
// otherwise do everything twice, since the service may have done it the first time.

/** For how many ms a repeated request counts as the same act. Later, it is a new one that happens to say the same. */
const sameActMs = 5 * 60_000
/** How many lost requests are remembered at most; the oldest are forgotten first. */
const mostKept = 100

export type Repeats = {
  /**
   * Returns the key for a request, as text: that of the last equal one whose answer was lost, or a new one. Each lost one is repeated
   * once, since several equal requests may be several acts.
   */
  begin(request: string): string
  /** Notes that it is not known what became of a request, so that the next equal one has the same key. */
  lost(request: string, key: string): void
}

export function createRepeats(now: () => number = Date.now): Repeats {
  let kept: { request: string; key: string; at: number }[] = []
  return {
    begin(request) {
      kept = kept.filter(({ at }) => now() - at < sameActMs)
      const found = kept.find((one) => one.request === request)
      if (!found) return newKey()
      kept = kept.filter((one) => one !== found)
      return found.key
    },
    lost(request, key) {
      kept = [...kept, { request, key, at: now() }].slice(-mostKept)
    },
  }
}

/** `crypto.randomUUID` is missing on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
