// In charge of ending this process when it is asked to: gracefully within a bound, and after that whatever hangs.
import { endChildren } from '../nodes/processes/start.ts'
import { flushLog, type Log } from '../platform/log.ts'

/** The longest a graceful stop may take before the process ends anyway. */
const stopMs = 15_000

type Given = {
  log: Log
  /** Said in the log when it begins. */
  words: string
  stop(): Promise<void>
  /** Done at once, before anything is waited for. */
  first?(): void
}

export function stopOnSignals({ log, words, stop, first }: Given): void {
  let asked = false
  const onSignal = (signal: string): void => {
    if (asked) {
      end(log, 130) // asked twice: at once
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

/** What waits in the threads of the system's calls: files on a disk that does not answer, names that do not resolve. */
const pooled = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/
/** What is not stuck there, such as the last lines of the log, is done long before. */
const pooledMs = 2000

/** An exit joins those threads first, and so never comes where one of them hangs. */
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
