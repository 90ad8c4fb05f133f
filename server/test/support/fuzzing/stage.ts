// In charge of a service to be fuzzed: it has callers of every role, its log is recorded, and its secrets must not leak.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Scope, scopes } from '@atelier/contract/enums.ts'
import { Webhook } from 'standardwebhooks'
import { ensureOwner } from '../../../src/features/people/owner.ts'
import { insertUser } from '../../../src/features/people/store.ts'
import { announceAuthChange, insertToken, newToken } from '../../../src/platform/auth.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config.ts'
import type { Database } from '../../../src/platform/db.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createApp } from '../../../src/wiring/app.ts'
import { ourOrganization, webhookSecret } from '../provider.ts'
import { type FuzzReport, fuzz } from './fuzz-run.ts'

type Given = { database: Database; url: string | null; requests: number; seed: number; clients?: number }

/** The allowed growth of the heap: what validators, compiled queries and caches need for all kinds of requests, and a margin. */
const grownMostMb = 100

/** The used heap of this process in MB, after a garbage collection. */
function heapMb(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** Fuzzes a service on an empty database. Adds what is found at the end to the report: faults in the log, growth of the heap. */
export async function fuzzService({ database, url, requests, seed, clients = 4 }: Given): Promise<FuzzReport> {
  const files = await mkdtemp(path.join(tmpdir(), 'atelier-fuzz-'))
  const config = readConfig({
    ...{ ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'debug', ATELIER_FILES: files },
    ...{ ATELIER_WEBHOOK_SECRETS: webhookSecret, ATELIER_ORGANIZATION: ourOrganization },
  })
  const lines: string[] = []
  const log = createLog(config.logLevel, { write: (line) => void lines.push(line) })
  const owner = await ensureOwner(database, null)
  if (!owner) throw new Error('The database was not empty.')
  const { tokens, ids } = await makeCallers(database)
  const app = await createApp({ config, database, log, clock: systemClock })
  await app.worker.start()
  app.automations.start()
  const base = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const all = [owner.token, ...tokens]
  const password = url === null ? [] : [new URL(url).password].filter((text) => text !== '')
  const secrets = [...all, webhookSecret, webhookSecret.replace('whsec_', ''), ...password]
  const before = heapMb()
  const report = await fuzz({
    ...{ base, requests, seed, clients, secrets },
    vocabulary: config.vocabulary,
    credentials: { all, sign },
    spared: new Set([owner.ownerId, ...ids, ...(await tokenIds(database))]),
  })
  const alive = await fetch(`${base}/api/v1/tasks/board`, { headers: { authorization: `Bearer ${owner.token}` } })
  if (alive.status !== 200) report.violations.push(`afterwards the board is answered with ${alive.status}`)
  await app.stop()
  await rm(files, { recursive: true, force: true })
  report.violations.push(...faultsOfLog(lines, [...secrets, ...report.issued]))
  lines.length = 0
  report.grownMb = heapMb() - before
  if (report.grownMb > grownMostMb) report.violations.push(`the heap has grown by ${Math.round(report.grownMb)} MB`)
  return report
}

async function makeCallers(database: Database): Promise<{ tokens: string[]; ids: string[] }> {
  const callers: { role: 'writer' | 'reader' | null; having: readonly Scope[] }[] = [
    { role: 'writer', having: scopes },
    { role: 'reader', having: scopes },
    { role: null, having: ['creatives:lookup', 'launches:write'] },
  ]
  const ids: string[] = []
  const tokens: string[] = []
  for (const { role, having } of callers) {
    const token = newToken()
    await database.tx(async (tx) => {
      const userId = role && (await insertUser(tx, { name: `A ${role}`, email: null, role }))
      if (userId !== null) ids.push(userId)
      await insertToken(tx, { name: 'Fuzz', token, scopes: having, userId, expiresAt: null })
      await announceAuthChange(tx)
    })
    tokens.push(token)
  }
  return { tokens, ids }
}

const tokenIds = async (database: Database): Promise<string[]> =>
  (await database.main.selectFrom('tokens').select('id').execute()).map(({ id }) => id)

let messages = 0

function sign(body: string): Record<string, string> {
  const [id, at] = [`msg_fuzz_${++messages}`, new Date()]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(webhookSecret).sign(id, at, body),
  }
}

/** Errors in the log, and log lines that contain a secret. */
function faultsOfLog(lines: readonly string[], secrets: readonly string[]): string[] {
  const telling = lines.filter((line) => secrets.some((secret) => line.includes(secret)))
  const bugs = lines.filter((line) => Number(JSON.parse(line).level) >= 50)
  return [
    ...telling.map((line) => `a secret in the log: ${line.slice(0, 800)}`),
    ...bugs.map((line) => `an error in the log: ${line.slice(0, 2_000)}`),
  ]
}
