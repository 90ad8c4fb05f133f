// In charge of `serve`: opens the database, starts the service, adds owner and demo on the first start, and stops on a signal.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seedDemo } from '../features/demo/seed.ts'
import { ensureOwner } from '../features/people/owner.ts'
import { issuerClientOf } from '../features/sessions/issuer.ts'
import { linkTo } from '../features/sessions/links.ts'
import { findOwner, insertLink } from '../features/sessions/store.ts'
import { alignAtStart, choiceWords } from '../features/webhooks/organization.ts'
import { namedFiles } from '../platform/backup/named-files.ts'
import { createSnapshots, type Snapshots } from '../platform/backup/snapshots.ts'
import { systemClock } from '../platform/clock.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { type Database, isUnavailable } from '../platform/db.ts'
import { readWeb } from '../platform/http/web.ts'
import { createLog, type Log } from '../platform/log.ts'
import { originOfLinks } from '../platform/open-files.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import type { Job } from '../platform/periodic.ts'
import { startTraces } from '../platform/tracing/start-traces.ts'
import { type App, createApp } from '../wiring/app.ts'
import { readOptions } from './arguments.ts'
import { greeting } from './greeting.ts'
import { handOver, keepToken } from './hand-over.ts'
import { logOpened, openConfigured } from './open.ts'
import { operatorPath, removeOperatorFile, secretPaths, writeOperatorFile } from './operator-file.ts'
import { answerOperator } from './operator-socket.ts'
import { stopOnSignals } from './stopping.ts'

const help = `Starts the service, and serves until it is stopped. It brings the schema of the database up to this version first. Everything
is said by settings (docs/configuration.md), not by words after the command; npm start -- --version prints which version this is.

  npm start
  PORT=3001 npm start

Everything else is a command of its own, such as npm run backup or npm run token: the README lists them.`

export async function serve(args: string[]): Promise<void> {
  if (readOptions(args, help, {}) === null) return
  const config = readConfig(process.env, 'service')
  const log = createLog(config.logLevel)
  const endTraces = await startTraces(process.env, log)
  const opened = await openConfigured(config, log, { stays: true })
  logOpened(opened, log)
  const { database } = opened

  const operatorToken = `atl_operator_${randomBytes(32).toString('base64url')}`
  const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url))
  const web = readWeb(folder, await originOfLinks(config))
  if (web === null) log.warn('the web app has not been built: `npm start` does, or `npm run build`')
  const app = await createApp({ config, database, log, clock: systemClock, operatorToken, web })
  await app.services.files.prepare()
  const url = await listen(app, config)
  // The owner's token is shown only once. So what may fail, listening and writing the operator's file, comes before the owner is
  // created: if it failed afterwards, the owner would exist, but nobody would have seen the token.
  writeOperatorFile(operatorPath(config), { url, token: operatorToken })
  const first = await ensureOwner(database, config.ownerToken, (token) => keepToken(config, token))
  if (config.demo && first) {
    const given = { files: app.services.files, entering: app.automations.entering }
    await seedDemo(database, config, given).catch((error: unknown) =>
      log.error({ err: error }, 'the demo was not added'),
    )
  }
  const memberships = choiceWords(await alignAtStart(database, config, log))
  if (memberships !== null) log.warn(memberships)
  const snapshots = database.copyFolder ? createSnapshots(database, config.dataDir, config.snapshotsKept) : null
  await snapshots
    ?.removeAbandoned()
    .catch((error: unknown) => log.warn({ err: error }, 'what broken-off backups left in snapshots was not removed'))
  app.startJobs([...(snapshots ? snapshotJobs(snapshots, config) : []), ...checkpointJobs(database)])
  app.automations.start()
  app.takes.start()
  if (config.work) await app.worker.start()
  else app.reconciler.start()
  const endAnswering = snapshots ? await answerCommands({ snapshots, database }, config, log) : null
  const token = config.ownerToken === null ? (first?.token ?? null) : null
  const link = await ownersLink(app, url, log)
  stopOnSignals({
    log,
    words: 'stopping: no new requests, those under way end first',
    first: () => {
      removeOperatorFile(operatorPath(config), operatorToken)
      if (link !== null) removeOperatorFile(secretPaths(config).link, link)
    },
    stop: async () => {
      endAnswering?.()
      await app.stop()
      await endTraces()
    },
  })
  const told = { url: config.publicUrl ?? url, ...handOver(config, { token, link }), memberships }
  saySigning(app, log)
  console.log(greeting(config, told))
}

/**
 * Serves commands that are run beside this service, since they cannot open the embedded database themselves. `snapshot` makes a
 * copy of the database for a backup and returns its path, and `files` returns the files that the database names. Returns a function that ends the serving;
 * null, after a warning, if the disk supports no sockets.
 */
const answerCommands = (
  { snapshots, database }: { snapshots: Snapshots; database: Database },
  { dataDir }: Config,
  log: Log,
): Promise<(() => void) | null> =>
  answerOperator(dataDir, {
    snapshot: async () => resolve(await snapshots.copyForBackup()),
    files: () => namedFiles(database),
  }).catch((error: unknown) => {
    log.warn({ err: error }, 'npm run backup will not reach this service: its disk takes no sockets')
    return null
  })

/**
 * Returns the job that makes snapshots. It checks every five minutes whether one is due, so that a service that runs only an hour a
 * day makes snapshots too.
 */
const snapshotJobs = (snapshots: Snapshots, { snapshotsKept, snapshotEvery }: Config): Job[] =>
  snapshotsKept === 0
    ? []
    : [{ name: 'snapshot', everyMs: 5 * 60_000, run: () => snapshots.takeIfDue(snapshotEvery.seconds) }]

/**
 * Returns the job that makes the embedded database write a checkpoint of its WAL every five minutes, which is PostgreSQL's default.
 * The embedded database has no background process for this.
 */
const checkpointJobs = ({ checkpoint }: Database): Job[] =>
  checkpoint === null ? [] : [{ name: 'checkpoint', everyMs: 5 * 60_000, run: checkpoint }]

/** Logs whether exported pictures are signed, and with which certificate. */
function saySigning({ credentials }: App, log: Log): void {
  if (credentials.signer === null) log.info({ reason: credentials.reason }, 'exported pictures are not signed')
  else if (credentials.signer.isOwn) {
    log.info('exported pictures are signed by a certificate of this installation, which others do not trust yet')
  } else log.info({ name: credentials.signer.name }, 'exported pictures are signed')
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.server.listen({ host, port })
  } catch (error) {
    await app.stop()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new OperatorError(`Port ${port} is taken by another program: stop that one, or set PORT to another port.`)
    }
    throw new OperatorError(`Cannot listen on ${host}, port ${port} (HOST, PORT): ${wordsOf(error)}.`)
  }
}

/**
 * Returns a link that signs the owner in; null if people sign in with an identity provider, if there is no owner, or if the database
 * takes no writes just now.
 */
async function ownersLink({ services: { config, database } }: App, url: string, log: Log): Promise<string | null> {
  if (issuerClientOf(config)) return null
  const owner = await findOwner(database.main)
  try {
    return owner && linkTo(config, url, (await insertLink(database.main, owner)).code)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn(
      { why: wordsOf(error) },
      'no sign-in link was made: `npm run sign-in` makes one once the database takes writes',
    )
    return null
  }
}
