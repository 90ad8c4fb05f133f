// In charge of measuring writes over HTTP against the same statements, sent to the database without the service.
import pg from 'pg'
import { deleteByHand, type NewTask, restoreByHand } from '../by-hand.ts'
import type { Sql } from '../data.ts'
import { type Ask, bytesOf, openLine } from '../line.ts'
import { median, type Report } from '../report.ts'
import type { Stage } from '../stage.ts'
import { compareLoad } from './compare.ts'

/** How many tasks at the start are left out of the medians, because query plans, caches and compiled code are not ready yet. */
const settling = 5

/**
 * Deletes and restores tasks with a hundred creatives each. Every task is deleted and restored twice: over HTTP, and by statements
 * without the service. The two ways take turns in being first. Stops at a time limit, or after the last task.
 */
export async function measureRestore(stage: Stage, report: Report): Promise<void> {
  const client = new pg.Client({ connectionString: stage.databaseUrl, options: '-c timezone=UTC -c jit=off' })
  await client.connect()
  const { port, token } = stage.ours
  const line = await openLine(port)
  const timed = async (work: Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await work
    return performance.now() - started
  }
  const overHttp = async (id: string) => ({
    deleted: await line.ask(bytesOf({ port, token, method: 'DELETE', path: `/api/v1/tasks/${id}` })),
    restored: await line.ask(bytesOf({ port, token, method: 'POST', path: `/api/v1/tasks/${id}/restore` })),
  })
  const byHand = async (id: string) => ({
    deleted: await timed(deleteByHand(client, id)),
    restored: await timed(restoreByHand(client, id)),
  })
  const pairs = []
  const end = performance.now() + stage.settings.seconds * 10_000
  for (const [turn, id] of stage.packs.entries()) {
    const first = turn % 2 === 0 ? await overHttp(id) : await byHand(id)
    const second = turn % 2 === 0 ? await byHand(id) : await overHttp(id)
    pairs.push(turn % 2 === 0 ? { http: first, hand: second } : { http: second, hand: first })
    if (performance.now() > end && pairs.length > settling + 5) break
  }
  line.close()
  await client.end()
  report.heading('Deleting and restoring a task with 100 creatives, against the same statements by hand')
  for (const act of ['deleted', 'restored'] as const) {
    const steady = pairs.slice(settling)
    report.add({
      what: act === 'deleted' ? 'delete' : 'restore',
      unit: 'ms',
      ours: median(steady.map(({ http }) => http[act])),
      floor: median(steady.map(({ hand }) => hand[act])),
      aim: { atMost: 1.5 },
    })
  }
}

async function createAsk(sql: Sql): Promise<Pick<Ask, 'method' | 'path' | 'body'>> {
  const [[product] = []] = await sql('select id from products limit 1')
  const [[person] = []] = await sql('select id from users limit 1')
  const task: NewTask = {
    name: 'Summer testimonial, second hook',
    product_id: String(product),
    assignee_id: String(person),
    media_type: 'video',
    ad_format: 'ugc',
  }
  return { method: 'POST', path: '/api/v1/tasks', body: JSON.stringify(task) }
}

export async function measureCreate(stage: Stage, report: Report): Promise<void> {
  const { port, token } = stage.ours
  const ask = await createAsk(stage.sql)
  report.heading('Creating a task under load (16 connections), against node:http with the same statements by hand')
  const before =
    stage.before && stage.beforeSql
      ? [{ ...(await createAsk(stage.beforeSql)), port: stage.before.port, token: stage.before.token }]
      : null
  const floor = [{ ...ask, port: stage.floorPort }]
  const beside = { before, aimBefore: 0.9 }
  report.add(...(await compareLoad(stage, 'create a task', [{ ...ask, port, token }], floor, beside)))
}
