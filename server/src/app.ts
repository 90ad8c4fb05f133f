// In charge of wiring: the only place that knows every part. Returns a server that is ready to listen.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bindComments } from './features/comments/routes.ts'
import { bindCreatives } from './features/creatives/routes.ts'
import { bindFiles } from './features/files/routes.ts'
import { adoptWaitingLaunches } from './features/launches/adopt.ts'
import { bindLaunches } from './features/launches/routes.ts'
import { bindPeople } from './features/people/routes.ts'
import { bindProducts } from './features/products/routes.ts'
import { bindBoard } from './features/tasks/board-routes.ts'
import { foldCounts, purge } from './features/tasks/purge.ts'
import { bindTasks } from './features/tasks/routes.ts'
import { bindTokens } from './features/tokens/routes.ts'
import { bindWebhooks } from './features/webhooks/routes.ts'
import { forgetOldMessages } from './features/webhooks/store.ts'
import { createAccessTokens } from './platform/access-tokens.ts'
import { createAuth } from './platform/auth.ts'
import { unavailable, watchAvailability } from './platform/availability.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { createCursors } from './platform/cursor.ts'
import type { Database } from './platform/db.ts'
import { fileFolder } from './platform/file-folder.ts'
import { fileStore } from './platform/file-store.ts'
import { binder } from './platform/http/bind.ts'
import { bytesBinder } from './platform/http/bind-bytes.ts'
import { bindDocs } from './platform/http/docs.ts'
import { bindHealth } from './platform/http/health.ts'
import { forgetOldKeys } from './platform/http/idempotency.ts'
import { bindOauthMetadata, oauthResource } from './platform/http/oauth-metadata.ts'
import { createServer } from './platform/http/server.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { type Job, startPeriodic } from './platform/periodic.ts'
import { sharedSecret } from './platform/secrets.ts'
import type { Services } from './platform/services.ts'

export type App = {
  server: FastifyInstance
  services: Services
  /** Starts the periodic jobs of this process. */
  startJobs(): void
  /** Stops taking requests, lets those under way end, then closes the database. Idempotent. */
  stop(): Promise<void>
}

type Given = { config: Config; database: Database; log: Log; clock: Clock; operatorToken?: string }

export async function createApp({ config, database, log, clock, operatorToken }: Given): Promise<App> {
  const resource = oauthResource(config)
  const accessTokens = resource && createAccessTokens(resource.issuer, resource.audience, clock)
  const auth = await createAuth(database, clock, { operatorToken, accessTokens })
  const cursors = createCursors(await sharedSecret(database.main, 'cursors'))
  const availability = watchAvailability(database.ping, log)
  const metrics = createMetrics(database.connections)
  const folder = fileFolder(config.files ?? join(config.dataDir, 'files'))
  const files = fileStore(database, folder, config.fileLimit)
  const services: Services = { database, config, cursors, auth, files }
  let draining = false

  const server = await createServer({ config, log, availability, metrics, draining: () => draining })
  const entry = { database, auth, availability, config, draining: () => draining }
  const bind = binder(server, entry)
  bindBoard(bind, services)
  bindTasks(bind, services)
  bindComments(bind, services)
  bindCreatives(bind, services)
  bindFiles(bytesBinder(server, entry), services)
  bindLaunches(bind, services)
  bindPeople(bind, services)
  bindProducts(bind, services)
  bindTokens(bind, services)
  bindWebhooks(server, services)
  bindOauthMetadata(server, config)
  bindHealth(server, { database, metrics, draining: () => draining, unavailable })
  await bindDocs(server, config)

  let stopJobs = async (): Promise<void> => undefined
  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    draining = true
    await server.close()
    await stopJobs()
    availability.stop()
    await auth
      .recordUse()
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of tokens was not recorded'))
    await database.close()
  }
  return {
    server,
    services,
    startJobs: () => {
      stopJobs = startPeriodic(jobs(services), log)
    },
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const minute = 60_000

const jobs = ({ database, config, auth, files }: Services): Job[] => [
  {
    name: 'purge',
    everyMs: minute,
    run: async (stopping) => void (await purge(database, config.retention.seconds, stopping)),
  },
  { name: 'purge-files', everyMs: 10 * minute, run: () => files.purge() },
  { name: 'fold-counts', everyMs: 10_000, run: () => foldCounts(database.main) },
  { name: 'forget-idempotency-keys', everyMs: 10 * minute, run: () => forgetOldKeys(database.main) },
  { name: 'forget-webhook-messages', everyMs: 10 * minute, run: () => forgetOldMessages(database.main) },
  { name: 'adopt-launches', everyMs: minute, run: () => adoptWaitingLaunches(database, config.retention.seconds) },
  { name: 'token-use', everyMs: 30_000, run: () => auth.recordUse() },
]
