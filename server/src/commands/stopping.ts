// In charge of stopping this process on a signal: gracefully within a time limit, then by force.
import { endChildren } from '../nodes/processes/start.ts'
import { flushLog, type Log } from '../platform/log.ts'

/** The longest a graceful stop may take before the process ends anyway. */
const stopMs = 15_000

type Given = {
  log: Log
  /** Logged when the stop begins. */
  words: string
  stop(): Promise<void>
  /** Runs at once, before the stop waits for anything. */
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

/** Calls that wait in Node's thread pool: files on a disk that does not respond, host names that do not resolve. */
const pooled = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/
/** Calls that do not hang, such as writing the last log lines, take much less time. */
const pooledMs = 2000

/** `process.exit` waits for the threads of the pool, and so never returns if one of them hangs. */
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
