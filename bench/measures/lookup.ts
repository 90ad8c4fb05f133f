// In charge of measuring the creative lookup, for batches and workspaces of different sizes; and of measuring which share of its
// processor time authentication takes.
import pg from 'pg'
import { createAuth } from '../../server/src/platform/auth.ts'
import { openDatabase } from '../../server/src/platform/db.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { postgresEngine } from '../../server/src/platform/postgres.ts'
import type { Ask } from '../line.ts'
import type { Server } from '../processes.ts'
import type { Report } from '../report.ts'
import { askOf, type Stage } from '../stage.ts'
import { compareLoad } from './compare.ts'
import { adIdOf, creativesEach, fillLaunches, nameOf } from './lookup-fill.ts'

const path = '/api/v1/integrations/creative-tests/creatives/lookup'
const sizes = [1, 10, 100, 1000]
const bodiesEach = 8

const figure = (value: number) => value.toLocaleString('en')

/**
 * Builds request bodies with `size` handles each, half names and half ad_ids of packs. If `size` is 1, every second body has a name
 * and the others have an ad_id.
 */
function bodiesOf(size: number, packs: number): string[] {
  return Array.from({ length: bodiesEach }, (_, turn) => {
    // The packs are far apart, and none occurs twice in a body.
    const pack = (at: number) => 1 + ((turn * 7919 + at * 6151) % packs)
    const isName = (at: number) => (size === 1 ? turn : at) % 2 === 0
    const places = Array.from({ length: size }, (_, at) => at)
    return JSON.stringify({
      names: places.filter(isName).map((at) => nameOf(pack(at), 1 + (at % creativesEach))),
      ad_ids: places.filter((at) => !isName(at)).map((at) => adIdOf(pack(at))),
    })
  })
}

const asksOf = (server: Server, bodies: string[]): Ask[] =>
  bodies.map((body) => ({ ...askOf(server, path), method: 'POST', body }))

/**
 * Makes the floor (the bare server in bench/floor.ts) answer these lookups by the cheapest possible statements, which only join
 * the stored texts of the creatives into one text. Returns the requests to that server.
 */
async function cheapestLookups(stage: Stage, bodies: readonly string[]): Promise<Ask[]> {
  const asks: Ask[] = []
  for (const [at, body] of bodies.entries()) {
    const { names, ad_ids: adIds }: { names: string[]; ad_ids: string[] } = JSON.parse(body)
    const text = `select (
        select string_agg(lookup_text, '') from creatives where name = any($1::text[]) and deleted_at is null
      ), (
        select string_agg(c.lookup_text, '') from launches l join creatives c on c.task_id = l.task_id
        where l.ad_id = any($2::text[]) and c.deleted_at is null
      )`
    const known = { [`/cheapest${path}/${at}`]: { name: 'cheapest_lookup', text, values: [names, adIds] } }
    asks.push(...(await stage.teachStatements(known)).map((ask): Ask => ({ ...ask, method: 'POST', body })))
  }
  return asks
}

async function fillSmall(stage: Stage, packs: number): Promise<void> {
  const client = new pg.Client({ connectionString: stage.smallUrl })
  await client.connect()
  await fillLaunches(
    async (text, values = []) => (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows,
    packs,
  )
  await client.end()
}

/**
 * Adds launched packs of ten creatives, one for every ten tasks, so that a workspace has as many launched creatives as tasks. Then
 * measures lookups of these creatives, and authentication.
 */
export async function measureLookup(stage: Stage, report: Report): Promise<void> {
  const packs = Math.floor(stage.settings.tasks / 10)
  const smallPacks = Math.floor(stage.smallTasks / 10)
  await fillLaunches(stage.sql, packs)
  await fillSmall(stage, smallPacks)
  if (stage.beforeSql) await fillLaunches(stage.beforeSql, packs)

  report.heading(
    `The lookup of ${figure(packs * creativesEach)} creatives under load (16 connections), against node:http with the same SQL`,
  )
  let leastCpu = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    const bodies = bodiesOf(size, packs)
    const floor = await stage.teachBodies(path, bodies)
    const before = stage.before && asksOf(stage.before, bodies)
    const cheapest = await cheapestLookups(stage, bodies)
    const aimBefore = size >= 1000 ? 2.5 : size >= 100 ? 2 : size >= 10 ? 1.5 : 1
    const beside = { before, cheapest, aimBefore }
    const results = await compareLoad(stage, `${figure(size)} handles`, asksOf(stage.ours, bodies), floor, beside)
    report.add(...results)
    leastCpu = Math.min(leastCpu, results[2]?.ours ?? Number.NaN)
  }

  report.heading(
    `The lookup of ${figure(packs * creativesEach)} creatives, against ${figure(smallPacks * creativesEach)} (one request at a time)`,
  )
  for (const size of sizes) {
    const [large, small] = await stage.alternate([
      asksOf(stage.ours, bodiesOf(size, packs)),
      asksOf(stage.small, bodiesOf(size, smallPacks)),
    ])
    const [ours, floor] = [large?.p50 ?? Number.NaN, small?.p50 ?? Number.NaN]
    report.add({ what: `${figure(size)} handles`, unit: 'ms', ours, floor, aim: { atMost: 1.2 } })
  }

  report.heading('Authentication, against all of the processor time of the smallest lookup')
  const ours = await authenticationMs(stage)
  report.add({ what: 'a token seen before', unit: 'ms', ours, floor: leastCpu, aim: { atMost: 0.05 } })
}

/** How many ms one authentication takes in this process, with a token that has just been verified. */
async function authenticationMs({ databaseUrl, ours }: Stage): Promise<number> {
  const database = openDatabase(postgresEngine(databaseUrl, { connections: 2, log: createLog('warn') }))
  const auth = await createAuth(database, { now: () => Date.now() })
  const count = 20_000
  const authenticate = async () => {
    const started = performance.now()
    for (let turn = 0; turn < count; turn++) await auth.authenticate(`Bearer ${ours.token}`)
    return (performance.now() - started) / count
  }
  await authenticate()
  const ms = await authenticate()
  await database.close()
  return ms
}
