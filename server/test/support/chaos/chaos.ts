// In charge of the chaos test: several workers on one PostgreSQL are killed, frozen and cut off from the database while users run
// graphs. Then the disturbances stop, the runs end, and all runs, credits and rows must be correct. The seed gives the random
// numbers, but timing decides which action gets which number, so the same seed repeats a test only roughly.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { evict } from '../../../src/engine/store/cache.ts'
import { purgeRuns } from '../../../src/engine/store/purge.ts'
import type { Timing } from '../../../src/engine/work/engine.ts'
import { ensureOwner } from '../../../src/features/people/owner.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { openDatabase } from '../../../src/platform/db.ts'
import { createLog } from '../../../src/platform/log.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { postgresEngine } from '../../../src/platform/postgres.ts'
import { type App, createApp } from '../../../src/wiring/app.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import { randomNumbers } from '../random.ts'
import { answerOf } from '../storm.ts'
import { startAudit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { chaosNodes } from './nodes.ts'
import { type Asking, createPlayers, type Players } from './players.ts'
import { type ChaosProvider, startProvider } from './provider.ts'
import { judgeLedger, judgeRuns, type Ledger, leftBehind, pairUp, wrongSums } from './verdict.ts'

export type ChaosOptions = {
  seed: number
  runs: number
  /** Users start runs for so many seconds or until there are `runs` runs, and longer only if `hits` demands it. */
  seconds: number
  /** The maximum number of restarts of the database during the test. */
  restarts: number
  /** How many workers must have died at each crash point; until then users start more runs, for at most eight times `seconds`. */
  hits: number
}

export type ChaosReport = {
  did: Record<string, number>
  statuses: Record<string, number>
  crashes: Record<string, number>
  kills: number
  /** How often a worker was frozen so long that it counts as lost; `zombies`: how often a run was taken from it meanwhile. */
  freezes: number
  zombies: number
  /** How often a run was taken from an overdue worker; `givenUp`: how often this made it fail, after too many lost workers. */
  taken: number
  givenUp: number
  restarts: number
  asked: number
  ledger: Ledger
  compared: number
  errors: readonly string[]
  violations: string[]
}

const timing: Timing = {
  heartbeatSeconds: 0.4,
  lostAfterSeconds: 1.5,
  pollSeconds: 0.2,
  cancelAfterSeconds: 1.5,
  resendSeconds: 0.4,
  strandedAfterSeconds: 60,
}
const at = { once: 16, patienceMs: 120_000 }

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  // Commits are synchronous, because what the database acknowledged must survive a kill of the server.
  const cluster = await startCluster({ settings: { synchronous_commit: 'on' } })
  const files = await mkdtemp(path.join(tmpdir(), 'atelier-chaos-'))
  const provider = await startProvider()
  const parts: { app?: App; crew?: Crew; client?: pg.Client } = {}
  try {
    const log = createLog('silent')
    const database = openDatabase(postgresEngine(cluster.url, { connections: 10, log }))
    await migrate(database)
    const token = (await ensureOwner(database, null))?.token ?? ''
    const config = readConfig({
      ATELIER_RATE_LIMIT: '0',
      LOG_LEVEL: 'silent',
      ATELIER_FILES: files,
      ATELIER_WORK: 'false',
    })
    const moreNodeTypes = chaosNodes(provider.url, 'api')
    parts.app = await createApp({ config, database, log, clock: systemClock, engineOptions: { timing }, moreNodeTypes })
    await startAudit((text) => database.script(text), {
      lostSeconds: timing.lostAfterSeconds,
      cancelSeconds: timing.cancelAfterSeconds,
    })
    const random = randomNumbers(options.seed)
    parts.crew = await startCrew({ url: cluster.url, files, provider: provider.url, timing }, 3, random)
    const scene: Scene = { options, cluster, provider, app: parts.app, crew: parts.crew, token, random }
    return await play(scene)
  } finally {
    await parts.crew?.end()
    await parts.app?.stop()
    await provider.close()
    await cluster.remove()
    await rm(files, { recursive: true, force: true })
  }
}

type Scene = {
  options: ChaosOptions
  cluster: Cluster
  provider: ChaosProvider
  app: App
  crew: Crew
  token: string
  random: () => number
}

async function play(scene: Scene): Promise<ChaosReport> {
  const { options, cluster, provider, crew, app } = scene
  const state = { alive: true, restarts: 0 }
  const players = createPlayers(askOf(scene), scene.random, () => state.alive)
  await storm(scene, players, state)
  await crew.calm()
  await atRest(cluster, players)
  const client = new pg.Client(cluster.url)
  await client.connect()
  try {
    const { ledger, violations } = await judgeLedger(client, provider.units)
    violations.push(...(await leftBehind(client)), ...(await wrongSums(client)), ...players.unexpected)
    const numbers = await count(client, crew)
    // The same runs are repeated without disturbance, with an empty cache: else the repeats would get the results to be checked.
    provider.calm()
    await client.query(`delete from node_cache; delete from file_uses where used_by = 'cache'`)
    const pairs = await pairUp(client, async (graphId) => {
      const { data } = await players.ask('POST', `/graphs/${graphId}/runs`, {})
      return idOf(data)
    })
    for (const twin of new Set(pairs.values())) await players.ask('POST', `/runs/${twin}/start`, {})
    await atRest(cluster, players)
    violations.push(...(await judgeRuns(client, pairs)), ...(await leftBehind(client)))
    violations.push(...(await leftAfterPurge(client, app)))
    return {
      ...numbers,
      did: players.did,
      crashes: crew.crashes,
      kills: crew.kills(),
      freezes: crew.freezes.length,
      restarts: state.restarts,
      asked: provider.requests(),
      ledger,
      compared: pairs.size,
      errors: crew.errors,
      violations: [...new Set(violations)].slice(0, options.runs),
    }
  } finally {
    await client.end()
  }
}

/** Users run graphs while workers are killed and frozen and the database is restarted. */
async function storm(scene: Scene, players: Players, state: { alive: boolean; restarts: number }): Promise<void> {
  const { options, cluster, crew, random } = scene
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  const isHit = () => Object.values(crew.crashes).every((times) => times >= options.hits)
  let begun = 0
  const goesOn = () =>
    (elapsed() < options.seconds && begun < options.runs) || (!isHit() && elapsed() < options.seconds * 8)
  const tables = Array.from({ length: at.once }, async () => {
    while (goesOn()) await players.play(begun++)
  })
  const harm = async (): Promise<void> => {
    while (goesOn()) {
      await wait(200 + random() * 500)
      const what = random()
      if (what < 0.3) await crew.kill()
      else if (what < 0.7) void crew.freeze(await holders(scene), timing.lostAfterSeconds * 1000 + 400 + random() * 800)
      if (
        state.restarts < options.restarts &&
        elapsed() > ((state.restarts + 1) * options.seconds) / (options.restarts + 1)
      ) {
        state.restarts += 1
        await cluster.restart('immediate')
      }
    }
  }
  await harm()
  // Players that still wait for a run stop waiting; `atRest` waits for the end of the run.
  state.alive = false
  await Promise.all(tables)
}

/** Names of the workers that are working on a run now; empty while the database is unreachable. */
async function holders({ app }: Scene): Promise<string[]> {
  const { database } = app.services
  const running = database.main.selectFrom('runs').select('worker').where('status', '=', 'running').execute()
  return (await running.catch(() => [])).flatMap(({ worker }) => (worker === null ? [] : [worker]))
}

/** Waits until all runs have ended and no wake-up job is left. Answers open questions, and starts runs again that were given up. */
async function atRest(cluster: Cluster, players: Players): Promise<void> {
  await withClient(cluster, async (client) => {
    for (const end = performance.now() + at.patienceMs; performance.now() < end; await wait(100)) {
      const { rows } = await client.query<{ id: string; status: string; error: string | null }>(
        `select id, status, error from runs where status not in ('succeeded', 'failed', 'cancelled', 'draft')
           or error like 'The run was given up%'
         union all select id, state::text, null from pgboss.job
           where name = 'run' and state in ('created', 'retry', 'active') and data->>'run_id' <> ''`,
      )
      if (rows.length === 0) return
      for (const { id, status, error } of rows) {
        if (error?.startsWith('The run was given up')) await players.ask('POST', `/runs/${id}/start`, {})
        if (status === 'awaiting_input') await players.answerAll(id)
      }
    }
  })
}

async function count(client: pg.Client, { freezes }: Crew) {
  const statuses = await client.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from runs group by status',
  )
  const { rows } = await client.query<{ at: Date; was_held_by: string; is_now: string }>(
    `select at, was_held_by, is_now from chaos.moves where raised and overdue`,
  )
  const zombies = freezes.filter(({ name, from, to }) =>
    rows.some(({ was_held_by, at }) => was_held_by === name && at.getTime() >= from && at.getTime() <= to + 500),
  )
  return {
    statuses: Object.fromEntries(statuses.rows.map(({ status, count }) => [status, count])),
    taken: rows.length,
    givenUp: rows.filter(({ is_now }) => is_now === 'failed').length,
    zombies: zombies.length,
  }
}

/** Purges all runs and empties the cache; returns what is left: uses of files, states, runs and checkpoints, each a fault. */
async function leftAfterPurge(client: pg.Client, { services: { database } }: App): Promise<string[]> {
  const { rows: used } = await client.query(`select from file_uses where used_by = 'run'`)
  await client.query(`update runs set deleted_at = now() - interval '90 days'`)
  await purgeRuns(database)
  await evict(database, 0)
  const { rows } = await client.query<{ what: string }>(
    `select 'a use of a file is left: ' || used_by || ' ' || user_key as what from file_uses where used_by <> 'graph'
     union all select 'a state is left' from run_states union all select 'a run is left' from runs
     union all select 'a checkpoint is left' from checkpoints where subject_id not in (select id from graphs)`,
  )
  return [...rows.map(({ what }) => what), ...(used.length === 0 ? ['no run used a file, so nothing was seen'] : [])]
}

async function withClient<T>(cluster: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(cluster.url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Sends requests as the owner to the service in this process. */
const askOf =
  ({ app, token }: Scene): Asking =>
  async (method, url, body) => {
    const answer = await app.server.inject({
      method,
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { status, code, data, text } = answerOf(answer.statusCode, answer.payload)
    return { status, code: code ?? '', data, text }
  }

const idOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : ''
