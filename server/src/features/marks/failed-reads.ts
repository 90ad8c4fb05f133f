// In charge of remembering which files the periodic job could not read. The job leaves them out for a while; otherwise, as many of them
// as it takes at a time would keep it from reading any other file.

/** How many calls of the job a file is left out for at most. A call is made every ten seconds, so this is about an hour and a half. */
const mostCalls = 512
/** For how many files this is remembered. A file that is forgotten is only tried again earlier. */
const mostFiles = 5000

export type FailedReads = {
  /** Begins a call of the job; returns the digests of the files that this call leaves out. */
  begin(): string[]
  /** Notes that a file could not be read. It is left out for one call, and after each further failure for twice as many. */
  add(digest: string): void
  /** Notes that a file was read. */
  delete(digest: string): void
}

export function createFailedReads(): FailedReads {
  const failed = new Map<string, { pause: number; due: number }>()
  let call = 0
  return {
    begin: () => {
      call++
      return [...failed].filter(([, { due }]) => due > call).map(([digest]) => digest)
    },
    add: (digest) => {
      const pause = Math.min(mostCalls, 2 * (failed.get(digest)?.pause ?? 0.5))
      failed.delete(digest) // so that the file becomes the newest of the map
      failed.set(digest, { pause, due: call + pause + 1 })
      const [oldest] = failed.keys()
      if (failed.size > mostFiles && oldest !== undefined) failed.delete(oldest)
    },
    delete: (digest) => void failed.delete(digest),
  }
}
