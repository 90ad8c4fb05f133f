// In charge of passing one mail to the mail server within a time limit, and of deciding what the server's response means.
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Config } from '../../platform/config.ts'
import { isMailAddress } from '../../platform/mail-settings.ts'
import { type MailWords, oneLine } from './words.ts'

/**
 * The outcome of an attempt to send. After `again`, a later attempt may succeed; after `refused`, none can. `said` is the server's
 * response or the error. `afterSeconds` is how long the server asks to wait before the next attempt.
 */
export type Tried = { outcome: 'sent' | 'again' | 'refused'; said: string; afterSeconds?: number }

type Mail = { id: string; madeAt: Date; to: { name: string; address: string }; words: MailWords; settings: string }
/** Sends a mail; `signal` aborts the attempt. */
export type Mailer = (mail: Mail, signal?: AbortSignal) => Promise<Tried>

type GotSocket = (error: Error | null, socket?: { connection: Socket }) => void

/** The time limit for a whole attempt, in milliseconds. Some servers accept a connection and then never respond. */
const tryMs = 30_000

/** Returns a function that sends a mail; null if the settings lack the mail server, the sender's address or the public URL. */
export function createMailer(config: Pick<Config, 'smtp' | 'mailFrom' | 'publicUrl'>, limitMs = tryMs): Mailer | null {
  const { smtp, mailFrom, publicUrl } = config
  if (smtp === null || mailFrom === null || publicUrl === null) return null
  const { hostname } = new URL(publicUrl)
  return async ({ id, madeAt, to, words, settings }, signal) => {
    if (!isMailAddress(to.address)) return { outcome: 'refused', said: 'This is not an address of mail.' }
    const line = openLine(smtp, limitMs, signal)
    const transport = createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.tls === 'implicit',
      requireTLS: smtp.tls === 'starttls',
      ignoreTLS: smtp.tls === 'none',
      ...(smtp.auth ? { auth: smtp.auth } : {}),
      getSocket: (_options: unknown, done: GotSocket) => line.open(done),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      const { response } = await transport.sendMail({
        from: mailFrom,
        to,
        subject: words.subject,
        text: words.text,
        html: words.html,
        date: madeAt,
        messageId: `<${id}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': `<${settings}>` },
      })
      return { outcome: 'sent', said: oneLine(response, 500) }
    } catch (error) {
      return line.isLate()
        ? { outcome: 'again', said: `The mail server did not answer within ${limitMs / 1000} s.` }
        : failed(error)
    } finally {
      line.end()
    }
  }
}

/** Opens a connection that is closed when the time limit is over, even if data is being sent at that moment. */
function openLine({ host, port }: { host: string; port: number }, limitMs: number, signal?: AbortSignal) {
  let isLate = false
  let socket: Socket | null = null
  const timer = setTimeout(() => {
    isLate = true
    socket?.destroy(new Error('The time is over.'))
  }, limitMs)
  // A connection that ends before it was made reports that only by an error, for which the mail library waits.
  const stop = (): void => void socket?.destroy(new Error('The service stops.'))
  signal?.addEventListener('abort', stop)
  return {
    open: (done: GotSocket): void => {
      if (signal?.aborted) {
        done(new Error('The service stops.'))
        return
      }
      const connection = connect({ host, port })
      socket = connection
      connection.once('connect', () => {
        connection.off('error', done)
        done(null, { connection })
      })
      connection.once('error', done)
      // The mail library listens for errors only while it uses the connection. At any other time, an error without a listener would
      // end the process.
      connection.on('error', () => undefined)
    },
    isLate: () => isLate,
    end: (): void => {
      signal?.removeEventListener('abort', stop)
      clearTimeout(timer)
      socket?.destroy()
    },
  }
}

/**
 * If the server refuses one of these commands for good (with a code of 500 or more), the problem is this mail, which is not tried
 * again. If another command is refused (a password, TLS), the operator has to correct the settings, and the mail is tried again.
 */
const ofTheMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
/**
 * Codes about a password or TLS (RFC 4954). A server that wants either may say so only when it hears one of the commands above.
 */
const ofTheSettings = new Set([530, 534, 535, 538])

function failed(error: unknown): Tried {
  const { message, response, responseCode, command } = Object(error) as Record<string, unknown>
  const code = Number(responseCode)
  const isFinal = code >= 500 && ofTheMail.has(String(command)) && !ofTheSettings.has(code)
  const said = typeof response === 'string' && response !== '' ? response : String(message ?? error)
  return { outcome: isFinal ? 'refused' : 'again', said: oneLine(said, 500) }
}
