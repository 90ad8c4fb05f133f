// In charge of when a record that a page shows is read again: when a change of it is reported, when changes may have been missed, and
// by a timer while no reports arrive. It knows nothing of React, so that its timing can be tested.

/** Without reports, a visible page polls every `everyMs`, but pauses after each read for at least `share` times its duration. */
const everyMs = 1_000
const share = 4
/** How long reported changes are collected, in ms, before the data is read again. */
const gatherMs = 200

/** `read` reads the record, and resolves to whether that failed. `isTold`: whether changes of the record are being reported now. */
type Options = { read: () => Promise<{ isError: boolean }>; isTold: () => boolean; isHidden: () => boolean }

export function createReading({ read, isTold, isHidden }: Options) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let state: 'resting' | 'asking' | 'due' | 'over' = 'resting'
  /** The pause after the last read ends at this moment: it keeps pages from slowing down a busy service even more. */
  let notBefore = 0
  /** Whether a change was reported that has not been read yet. */
  let isOwed = false
  /** Whether changes may have been missed since the present read began. */
  let isMissed = false
  // A function, because TypeScript does not expect that `state` changes during an `await`.
  const stateNow = () => state
  const ask = async () => {
    timer = undefined
    state = 'asking'
    isOwed = false
    isMissed = false
    const began = performance.now()
    // A failure is shown by the component that shows the data; the next attempt may succeed.
    const { isError } = isHidden() ? { isError: false } : await read().catch(() => ({ isError: true }))
    if (stateNow() === 'over') return
    const ended = performance.now()
    // How long a read took says nothing about how busy the service is if it failed, or if there was an outage meanwhile.
    notBefore = isError || isMissed ? 0 : ended + share * (ended - began)
    const isDue = stateNow() === 'due'
    state = 'resting'
    if (isDue || !isTold()) wait()
  }
  const wait = () => {
    const rest = notBefore - performance.now()
    timer ??= setTimeout(ask, Math.max(isTold() ? gatherMs : everyMs, rest))
  }
  const due = () => {
    isOwed = true
    if (state === 'asking') state = 'due'
    else if (state === 'resting') wait()
  }
  return {
    due,
    /** Changes may have been missed: the record is read soon, whatever pause the reads of the outage have led to. */
    missed() {
      isMissed = true
      notBefore = 0
      clearTimeout(timer)
      timer = undefined
      due()
    },
    /** The page is visible again: the record is read at once. */
    look() {
      if (state !== 'resting') return
      clearTimeout(timer)
      void ask()
    },
    begin() {
      if (!isTold()) wait()
    },
    /** Stops reading, and returns whether a reported change has not been read. */
    end(): boolean {
      state = 'over'
      clearTimeout(timer)
      return isOwed
    },
  }
}
