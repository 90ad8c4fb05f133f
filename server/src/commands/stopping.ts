// In charge of stopping this process when it gets a signal: first gracefully, and by force after a time limit.
import { endChildren } from '../nodes/processes/start.ts'
import { flushLog, type Log } from '../platform/log.ts'

/** The maximum time of a graceful stop, in ms. A process that takes longer kills itself. */
const stopMs = 15_000

type Given = {
  log: Log
  /** The message that is logged when the stop begins. */
  words: string
  stop(): Promise<void>
  /** Called as soon as the signal arrives, before `stop`. */
  first?(): void
}

export function stopOnSignals({ log, words, stop, first }: Given): void {
  let asked = false
  const onSignal = (signal: string): void => {
    if (asked) {
      end(log, 130) // a second signal ends the process at once
      return
    }
    asked = true
    log.info({ signal }, words)
    setTimeout(() => {
      log.error('the graceful stop took too long')
      endHard(log)
    }, stopMs).unref()
    first?.()
    stop().then(
      () => end(log, 0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        end(log, 1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/**
 * Matches the names of Node's resources for calls that can hang in its thread pool: access to files on a broken disk, and look-ups
 * of host names.
 */
const pooled = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/
/**
 * How long (ms) an ending process waits for calls in the thread pool. Calls that do not hang, such as writing a log line, take
 * less.
 */
const pooledMs = 2000

/**
 * Ends the process. If a call hangs in the thread pool, the process kills itself: `process.exit` would wait for the pool and never
 * return.
 */
function end(log: Log, code: number): void {
  const until = performance.now() + pooledMs
  const look = (): void => {
    if (!process.getActiveResourcesInfo().some((kind) => pooled.test(kind))) process.exit(code)
    if (performance.now() > until) endHard(log)
    else setTimeout(look, 10)
  }
  look()
}

function endHard(log: Log): void {
  endChildren()
  flushLog(log)
  process.kill(process.pid, 'SIGKILL')
}
