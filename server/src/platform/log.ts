// In charge of the log: JSON lines that contain request ids and no secrets.
import pino, { type Logger } from 'pino'

export type Log = Logger

export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.secret'], censor: '[secret]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Writes the buffered log lines synchronously, without the worker threads that usually write, because those threads may hang. */
export function flushLog(log: Log): void {
  const stream: unknown = Reflect.get(log, pino.symbols.streamSym)
  if (typeof stream !== 'object' || stream === null || !('flushSync' in stream)) return
  if (typeof stream.flushSync === 'function') stream.flushSync()
}
