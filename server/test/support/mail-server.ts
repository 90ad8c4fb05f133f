// In charge of a real SMTP server on this machine that can fail in the ways a test chooses.
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/**
 * A certificate for 127.0.0.1 with its key, used only by these tests; a process with it in `NODE_EXTRA_CA_CERTS` trusts the server.
 */
export const certificateFile = fileURLToPath(new URL('../fixtures/mail-server.pem', import.meta.url))
const certificate = readFileSync(certificateFile, 'utf8')

type Received = { id: string; to: string[]; raw: string; isSecure: boolean; user: string | null }

/**
 * What the server does with a mail: accept it, refuse it with a code after a command, never reply, or cut the connection midway.
 */
type Turn = 'take' | 'hang' | 'cut' | { at: 'MAIL' | 'RCPT' | 'DATA'; code: number; words: string }

export type MailServer = {
  port: number
  received: Received[]
  /** What the server does with each mail to come, in order; mails beyond the list are accepted. */
  turns: Turn[]
  /** Called with a mail that has arrived completely, before the server replies. */
  onMail: (mail: Received) => void
  /** Called when a client announces a mail (`MAIL FROM`), before the server replies. */
  onTurn: () => void
  /** Closes every connection. */
  hangUp(): void
  close(): Promise<void>
}

export async function startMailServer(
  options: { tls?: 'starttls' | 'implicit' | 'none'; password?: string } = {},
): Promise<MailServer> {
  const { tls = 'starttls', password } = options
  const state: MailServer = {
    port: 0,
    received: [],
    turns: [],
    onMail: () => undefined,
    onTurn: () => undefined,
    hangUp,
    close,
  }
  const turnOf = new WeakMap<SMTPServerSession, Turn>()
  const answer =
    (at: 'MAIL' | 'RCPT') =>
    (_address: unknown, session: SMTPServerSession, done: (error?: Error | null) => void): void => {
      if (at === 'MAIL') {
        turnOf.set(session, state.turns.shift() ?? 'take')
        state.onTurn()
      }
      const turn = turnOf.get(session)
      if (turn === 'hang') return
      done(typeof turn === 'object' && turn.at === at ? refusal(turn) : null)
    }
  const server = new SMTPServer({
    ...(tls === 'none' ? {} : { key: certificate, cert: certificate }),
    secure: tls === 'implicit',
    hideSTARTTLS: tls === 'none',
    authOptional: password === undefined,
    allowInsecureAuth: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: auth.username })
        : done(refusal({ code: 535, words: '5.7.8 No.' })),
    onMailFrom: answer('MAIL'),
    onRcptTo: answer('RCPT'),
    onData(stream, session, done) {
      const turn = turnOf.get(session)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (turn === 'cut') hangUp()
      })
      stream.on('end', () => {
        if (turn === 'cut') return
        if (typeof turn === 'object') return done(refusal(turn))
        const raw = Buffer.concat(chunks).toString()
        const mail = {
          id: /^Message-ID: (.+)\r$/im.exec(raw)?.[1] ?? '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          ...{ raw, isSecure: Boolean(session.secure), user: session.user ? String(session.user) : null },
        }
        state.received.push(mail)
        state.onMail(mail)
        done(null, '2.0.0 Taken')
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Tests break connections midway on purpose, so socket errors are ignored.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  state.port = typeof address === 'object' && address !== null ? address.port : 0
  return state

  function hangUp(): void {
    for (const socket of sockets) socket.destroy()
  }
  function close(): Promise<void> {
    return new Promise((resolve) => server.close(() => resolve()))
  }
}

const refusal = ({ code, words }: { code: number; words: string }): Error =>
  Object.assign(new Error(words), { responseCode: code })

/** Makes this process trust the server's certificate, as `NODE_EXTRA_CA_CERTS` does for an operator's certificate. */
export const trustMailServer = (): void => setDefaultCACertificates([...getCACertificates(), certificate])
