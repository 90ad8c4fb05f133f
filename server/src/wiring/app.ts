// In charge of connecting all parts of the service; only this file imports all of them. It creates a server that is ready to
// listen.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { crashPointsOf } from '../engine/work/crash-points.ts'
import type { Reconciler } from '../engine/work/reconciler.ts'
import type { Worker } from '../engine/work/worker.ts'
import { bindAutomations } from '../features/automations/routes.ts'
import { bindComments } from '../features/comments/routes.ts'
import { bindFiles } from '../features/files/routes.ts'
import { thumbnailFolder } from '../features/files/thumbnail-folder.ts'
import { createThumbnails } from '../features/files/thumbnails.ts'
import { bindPromote } from '../features/graphs/promote.ts'
import { bindGraphHistory, bindGraphs } from '../features/graphs/routes.ts'
import { barringOf } from '../features/marks/barring.ts'
import { bindCredentials } from '../features/marks/credentials.ts'
import { noteFile, type Reading, sourceTypeIn } from '../features/marks/reading.ts'
import { bindMarks } from '../features/marks/routes.ts'
import { bindMoney } from '../features/money/routes.ts'
import type { Sending } from '../features/notices/deliver.ts'
import { bindNotices } from '../features/notices/routes.ts'
import { bindNoticeSettings } from '../features/notices/settings-routes.ts'
import { bindPeople } from '../features/people/routes.ts'
import { bindProducts } from '../features/products/routes.ts'
import { type KeyRing, openKeyRing } from '../features/providers/key-ring.ts'
import { bindProviders } from '../features/providers/routes.ts'
import type { MoveTask } from '../features/review/decisions.ts'
import { guestsOf } from '../features/review/guest-entrance.ts'
import { bindReview } from '../features/review/routes.ts'
import { settleTakes, type TakePoint } from '../features/review/take-settling.ts'
import type { TakeActs } from '../features/review/takes.ts'
import { bindRunRecords } from '../features/runs/record-routes.ts'
import { retakesOf } from '../features/runs/retakes.ts'
import { bindRunControl, bindRuns, planCheckOf, type RunServices } from '../features/runs/routes.ts'
import type { Preparing } from '../features/runs/signing.ts'
import { createIssuerSignIn, type IssuerSignIn, issuerClientOf } from '../features/sessions/issuer.ts'
import { bindSessions, bindSignInLinks } from '../features/sessions/routes.ts'
import { bindSignIn } from '../features/sessions/sign-in-routes.ts'
import { bindCreatives } from '../features/tasks/creatives/routes.ts'
import { changeCreative, createCreative, nextPlaces } from '../features/tasks/creatives/write.ts'
import { bindBoard } from '../features/tasks/feed/board-routes.ts'
import { bindLaunches } from '../features/tasks/launches/routes.ts'
import { bindTasks } from '../features/tasks/routes.ts'
import type { Entering } from '../features/tasks/store.ts'
import { bindTaskTemplates } from '../features/tasks/templates/routes.ts'
import { changeTasks, refuseChange } from '../features/tasks/write.ts'
import { bindTokens } from '../features/tokens/routes.ts'
import { bindWebhooks } from '../features/webhooks/routes.ts'
import { type Credentials, createCredentials } from '../nodes/credentials.ts'
import { createPictureWorkers } from '../nodes/images/workers.ts'
import type { NodeType } from '../nodes/node-type.ts'
import { createRegistry, defaultNodeTypes } from '../nodes/registry.ts'
import { createAccessTokens } from '../platform/access-tokens.ts'
import { type Auth, createAuth } from '../platform/auth.ts'
import { unavailable, watchAvailability } from '../platform/availability.ts'
import { createChanges } from '../platform/changes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { countJob } from '../platform/counts.ts'
import { createCursors } from '../platform/cursor.ts'
import { type Database, setRetention } from '../platform/db.ts'
import { createDirectory, type Directory } from '../platform/directory.ts'
import { createFileLinks } from '../platform/file-links.ts'
import { fileStore } from '../platform/file-store.ts'
import { type Bind, type BindStaged, binder } from '../platform/http/bind.ts'
import { bytesBinder } from '../platform/http/bind-bytes.ts'
import { bindDocs } from '../platform/http/docs.ts'
import { bindEvents } from '../platform/http/event-stream.ts'
import { bindHealth } from '../platform/http/health.ts'
import { leaveProxy } from '../platform/http/leave-proxy.ts'
import { bindOauthMetadata, oauthResource } from '../platform/http/oauth-metadata.ts'
import { createRates } from '../platform/http/rates.ts'
import { createServer, type HttpGiven } from '../platform/http/server.ts'
import { startWatchServer } from '../platform/http/watch-server.ts'
import { bindWeb } from '../platform/http/web.ts'
import type { Log } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { openFiles } from '../platform/open-files.ts'
import { type Job, startPeriodic } from '../platform/periodic.ts'
import { createSealing } from '../platform/sealing.ts'
import { sharedSecret } from '../platform/secrets.ts'
import type { Services } from '../platform/services.ts'
import { createSessionTokens } from '../platform/session-tokens.ts'
import { type Automations, createAutomations } from './automations.ts'
import { type Follower, followRuns } from './follow-runs.ts'
import { jobs } from './jobs.ts'
import { measuring } from './measures.ts'
import { nodeOptions } from './node-options.ts'
import { createRunEngine, type Given as EngineGiven } from './run-engine.ts'
import { sendingOf } from './sending.ts'

export type App = {
  server: FastifyInstance
  services: Services
  /** Executes runs once it has been started. */
  worker: Worker
  /**
   * Recovers runs whose worker died. It is started only if this process starts no worker, because a worker has a reconciler of its
   * own.
   */
  reconciler: Reconciler
  /**
   * `entering` starts runs when tasks enter a status. After `start` was called, this process also puts the files of such runs on
   * the cards of their tasks.
   */
  automations: Pick<Automations, 'entering' | 'start'>
  /** After `start` was called: when the run for a take of a review ends, proposes the new picture as a version of the creative. */
  takes: Pick<Follower, 'start'>
  /** Signs exported pictures. Whether pictures are signed, and by whom, is logged when the process starts. */
  credentials: Credentials
  /** Starts the periodic jobs of this process, and any jobs in `more`. */
  startJobs(more?: readonly Job[]): void
  /**
   * Stops accepting requests, waits for the requests in progress, stops the worker and the periodic jobs, and closes the database.
   * A second call only waits for the first.
   */
  stop(): Promise<void>
}

type Given = Pick<HttpGiven, 'web' | 'pace'> & {
  config: Config
  database: Database
  log: Log
  clock: Clock
  operatorToken?: string
  /** For tests: shorter time limits, and the point at which the process kills itself. */
  engineOptions?: Pick<EngineGiven, 'timing' | 'crashAt'>
  /** For tests: for how many ms changes are collected before clients are notified of them. */
  changesWindowMs?: number
  /** For tests: for how many ms a process that stops answers requests over the connections that a proxy has kept. */
  leavingMs?: number
  /** Node types in addition to the built-in ones. */
  moreNodeTypes?: readonly NodeType[]
}

export async function createApp({
  config,
  database,
  log,
  clock,
  operatorToken,
  web = null,
  engineOptions = {},
  changesWindowMs,
  pace,
  leavingMs = 1_000,
  moreNodeTypes = [],
}: Given): Promise<App> {
  const directory = createDirectory(database)
  const availability = watchAvailability(database.ping, log, clock)
  const metrics = createMetrics(measuring(database, config))
  const { nodeTypes, keyRing } = await registryOf({ database, directory, config, log }, moreNodeTypes)
  const services = { ...(await createServices({ config, database, directory, clock, operatorToken })), nodeTypes }
  const { auth, files, fileLinks } = services
  const changes = createChanges(database, log, changesWindowMs)
  await changes.start()
  const running = { database, config, log, files, nodeTypes, ...engineOptions }
  const { queue, nodeFiles, worker, reconciler } = createRunEngine(running)
  await queue.start(config.work)
  const { reading, thumbnails, ...preparing } = await picturesOf(services, log)
  const automations = createAutomations({ database, config, log, queue, nodeTypes, changes, nodeFiles, ...preparing })
  const sending = sendingOf(config, database, log)
  const runServices = { ...services, queue, find: nodeTypes.find, has: nodeTypes.has, nodeFiles, sending, ...preparing }
  const { prepare } = retakesOf(runServices)
  const crash = crashPointsOf<TakePoint>(engineOptions.crashAt)
  const takes = followRuns({ log, changes, work: () => settleTakes({ database, log, prepare, crash }) })
  const issuerSignIn = await issuerSignInOf(database, config, clock)
  let draining = false
  let closing = false

  const http = { config, availability, rates: createRates(config, clock), draining: () => draining }
  const server = await createServer({ ...http, log, metrics, web, pace })
  const entry = { ...http, closing: () => closing, database, auth, guests: guestsOf(database.main) }
  const { bind, bindStaged } = binder(server, entry)
  bindFeatures(bind, bindStaged, { ...runServices, reading, clock, keyRing, log }, automations.entering)
  bindFiles(bind, bytesBinder(server, entry, fileLinks), { ...services, thumbnails })
  bindEvents(server, entry, changes)
  bindSessions(server, services, issuerSignIn !== null)
  bindSignInLinks(bind, server, services)
  bindSignIn(server, { ...services, rates: http.rates }, issuerSignIn)
  bindWebhooks(server, services)
  bindOauthMetadata(server, config)
  const endWatching = await bindWatching(server, { ...http, log, database, metrics, unavailable })
  await bindDocs(server, config)
  bindWeb(server, web)

  let stopJobs = async (): Promise<void> => undefined
  const stop = async (): Promise<void> => {
    draining = true
    if (config.trustedProxies.length > 0) await leaveProxy(server.server, leavingMs)
    closing = true
    await server.close()
    await Promise.all([worker.stop(), reconciler.stop()])
    keyRing.stop()
    await stopJobs()
    await Promise.all([automations.stop(), takes.stop()])
    await queue.stop()
    await changes.stop()
    availability.stop()
    await recordLastUse(auth, log)
    await database.close()
    endWatching()
  }
  return {
    server,
    services,
    worker,
    reconciler,
    automations,
    takes,
    credentials: preparing.credentials,
    startJobs: (more = []) => {
      stopJobs = startPeriodic([...jobs({ ...runServices, clock }, reading, thumbnails), ...more], log, countJob)
    },
    stop: onlyOnce(stop),
  }
}

/** Returns a function that acts at its first call. Each call waits for the end of the act. */
function onlyOnce(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | null = null
  return () => {
    acting ??= act()
    return acting
  }
}

type ServicesGiven = Pick<Given, 'config' | 'database' | 'clock'> & {
  directory: Directory
  operatorToken: string | undefined
}

async function createServices({ config, database, directory, clock, operatorToken }: ServicesGiven) {
  setRetention(database, config.retention.seconds)
  const resource = oauthResource(config)
  const accessTokens = resource && createAccessTokens(resource.issuer, resource.audience, clock)
  const sessionTokens = createSessionTokens(await sharedSecret(database.main, 'session-tokens'), clock)
  return {
    ...{ config, database, directory, sessionTokens },
    auth: await createAuth(database, clock, { operatorToken, accessTokens, sessionTokens }),
    cursors: createCursors(await sharedSecret(database.main, 'cursors')),
    files: fileStore(database, openFiles(config), config.fileLimit),
    fileLinks: createFileLinks(await sharedSecret(database.main, 'file-links'), database.main, clock),
  }
}

/**
 * Adds the monitoring routes to the server. If the settings name a separate port for monitoring, also listens on that port; metrics
 * are then served only there. Returns a function that closes the separate port.
 */
async function bindWatching(
  server: FastifyInstance,
  watched: Parameters<typeof bindHealth>[1] & Parameters<typeof startWatchServer>[0],
): Promise<() => void> {
  bindHealth(server, watched)
  const own = await startWatchServer(watched)
  return () => own?.close()
}

const recordLastUse = ({ recordUse }: Auth, log: Log): Promise<void> =>
  recordUse().catch((error: unknown) => log.warn({ err: error }, 'the last use of tokens was not recorded'))

async function issuerSignInOf({ main }: Database, config: Config, clock: Clock): Promise<IssuerSignIn | null> {
  const client = issuerClientOf(config)
  return client && createIssuerSignIn(client, await sharedSecret(main, 'sign-ins'), clock)
}

/**
 * Creates the services that handle pictures but take no part in executing runs. One child process signs pictures, and reads
 * signatures. Up to two others make thumbnails, so that the board's thumbnails never wait for that process or for nodes of runs. The
 * child processes are started when the first file needs them.
 */
async function picturesOf({ database, config, files }: Services, log: Log) {
  const workers = createPictureWorkers({ most: 1 })
  const secret = await sharedSecret(database.main, 'content-credentials')
  const reading: Reading = { database, files }
  const sourceTypeOf = async (digest: string) => (await sourceTypeIn(files, digest))?.term ?? null
  const folder = thumbnailFolder(join(config.dataDir, 'thumbnails'), config.thumbnailLimit)
  const small = createPictureWorkers({ most: 2 })
  const thumbnails = createThumbnails({ db: database.main, files, workers: small, folder, log })
  return { credentials: createCredentials(config, secret, workers), sourceTypeOf, reading, thumbnails }
}

type Featured = RunServices &
  Preparing & { reading: Reading; sending: Sending; clock: Clock; keyRing: KeyRing; log: Log }

type Registering = { database: Database; directory: Directory; config: Config; log: Log }

/**
 * Creates the registry of node types. When an admin changes a provider key, other node types may become available, so all types are
 * described again.
 */
async function registryOf({ log, ...given }: Registering, more: readonly NodeType[]) {
  const keyRing = await openKeyRing(given.database, createSealing(given.config.secretsKeys), log)
  const nodeTypes = createRegistry([...defaultNodeTypes(nodeOptions({ ...given, keyRing })), ...more])
  keyRing.onChanged(nodeTypes.describe)
  return { nodeTypes, keyRing }
}

/** Adds the routes of the contract whose bodies are JSON. */
function bindFeatures(bind: Bind, bindStaged: BindStaged, services: Featured, entering: Entering): void {
  bindBoard(bind, services)
  bindTasks(bind, bindStaged, services, { entering, barring: barringOf(services.config.labelRules) })
  bindComments(bind, services)
  bindCreatives(bind, bindStaged, services, (digest) => noteFile(services.reading, digest))
  bindMarks(bind, services)
  const takes = {
    ...retakesOf(services),
    use: (...[tx, owned, file, actor]: Parameters<TakeActs['use']>) => changeCreative(tx, owned, { file }, actor),
  }
  const move: MoveTask = async (tx, task, to, actor) => {
    const barred = await barringOf(services.config.labelRules)(tx, [task], { status: to })
    const refusal = refuseChange(task, task.id) ?? barred.get(task.id) ?? null
    if (!refusal)
      await changeTasks(tx, [task], { status: to }, actor, { nameTemplate: services.config.nameTemplate, entering })
    return refusal
  }
  bindReview(bind, bindStaged, services, move, takes)
  bindCredentials(bind, services)
  bindGraphs(bind, services)
  bindGraphHistory(bind, services)
  bindPromote(bind, services)
  bindRuns(bind, services)
  bindRunControl(bind, services)
  const { nameTemplate } = services.config
  bindRunRecords(bind, bindStaged, services, {
    create: (tx, task, made, actor) => createCreative(tx, task, made, actor, nameTemplate),
    nextPlaces: (db, task, wanted) => nextPlaces(db, task, wanted, nameTemplate),
  })
  bindAutomations(bind, services)
  bindLaunches(bind, services)
  bindPeople(bind, services)
  bindTaskTemplates(bind, services)
  bindProducts(bind, services)
  bindMoney(bind, services, planCheckOf(services))
  bindProviders(bind, services)
  bindTokens(bind, services)
  bindNotices(bind, services)
  bindNoticeSettings(bind, services)
}
