// In charge of a process that sends the messages waiting in the outbox; `crashAt` in its argument may name a point to crash at.
import { crashPointsOf } from '../../src/engine/work/crash-points.ts'
import { createChat } from '../../src/features/notices/chat.ts'
import { gatherDue, type Sending, sendDue } from '../../src/features/notices/deliver.ts'
import { createMailer } from '../../src/features/notices/mail.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createSealing } from '../../src/platform/sealing.ts'

export type SenderOrders = { url: string; port: number; password: string; crashAt: string }

const { url, port, password, crashAt }: SenderOrders = JSON.parse(process.argv[2] ?? '')
const log = createLog('error')
const database = openDatabase(postgresEngine(url, { connections: 2, log }))
const origin = 'https://atelier.example'
const sending: Sending = {
  ...{ database, log, origin, chat: createChat([]), sealing: createSealing([]), crash: crashPointsOf(crashAt) },
  mailer: createMailer({
    publicUrl: origin,
    smtp: { host: '127.0.0.1', port, tls: 'starttls', auth: { user: 'ada', pass: password } },
    mailFrom: { name: '', address: 'atelier@example.org' },
  }),
}
await gatherDue(sending)
await sendDue(sending, 'mail', new AbortController().signal)
await database.close()
