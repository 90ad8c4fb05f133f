// In charge of the log: JSON lines with request ids, never a secret.
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
