// In charge of measuring pages of tasks: against the floor under load, far from the start of a feed against near it, in a large
// workspace against a small one, and with a total against without.
import type { Ask } from '../line.ts'
import type { Server } from '../processes.ts'
import type { Report } from '../report.ts'
import { askOf, pagesAt, readTotal, type Stage } from '../stage.ts'
import { compareLoad, withWrites } from './compare.ts'

/** How many pages are requested in turn, so that a measurement covers more than the 24 rows of one page. */
const pagesEach = 20

const deleted = '/api/v1/tasks/deleted'
const board = '/api/v1/tasks/board'
const column = '/api/v1/tasks/board?status=in_progress'

const feeds = [
  { name: 'deleted feed', path: deleted, depthShare: 0.9 },
  { name: 'one column', path: column, depthShare: 0.5 },
  { name: 'all columns', path: board, depthShare: 0.1 },
] as const

/**
 * Returns after how many cards of a feed the deep pages begin: `depthShare` of all cards, or fewer if too few cards would be left
 * for `pagesEach` pages, rounded down to hundreds. For the deleted feed of a million tasks this is 180,000 of 200,000.
 */
async function depthIn(stage: Stage, { path, depthShare }: (typeof feeds)[number]): Promise<number> {
  const total = (await readTotal(stage.ours, path)) ?? 0
  return Math.floor(Math.min(total * depthShare, total - (pagesEach + 1) * 24) / 100) * 100
}

const figure = (value: number) => value.toLocaleString('en')

export async function measurePages(stage: Stage, report: Report): Promise<void> {
  report.heading('24 cards under load (16 connections), against node:http with the same SQL')
  for (const feed of feeds) {
    const first = [feed.path.includes('?') ? `${feed.path}&limit=24` : `${feed.path}?limit=24`]
    const depth = await depthIn(stage, feed)
    const deep = await pagesAt(stage.ours, feed.path, depth, pagesEach)
    for (const [where, paths] of [
      ['first page', first],
      [`at ${figure(depth)}`, deep],
    ] as const) {
      const floor = await stage.teachFloor(paths)
      const ours = paths.map((path) => askOf(stage.ours, path))
      const paged =
        stage.before && where !== 'first page' ? await pagesAt(stage.before, feed.path, depth, pagesEach) : first
      const before =
        stage.before &&
        withWrites(
          paged.map((path) => askOf(stage.before ?? stage.ours, path)),
          await commentOn(stage.before),
        )
      const cheapest = await cheapestPages(stage, paths)
      const written = withWrites(ours, await commentOn(stage.ours))
      report.add(...(await compareLoad(stage, `${feed.name}, ${where}`, written, floor, { before, cheapest })))
    }
  }
}

/** A request that changes a card: it writes a comment on the first task of the board. */
async function commentOn(server: Server): Promise<Ask> {
  const headers = { authorization: `Bearer ${server.token}` }
  const answer = await fetch(`http://127.0.0.1:${server.port}${board}?limit=1`, { headers })
  const page: { data: { tasks: { id: string }[] } } = JSON.parse(await answer.text())
  const body = JSON.stringify({ text: 'The second hook reads better.' })
  return { ...askOf(server, `/api/v1/tasks/${page.data.tasks[0]?.id}/comments`), method: 'POST', body }
}

/**
 * Makes the floor answer these pages by the cheapest possible statements, which only join the cards from `task_cards` into one
 * text. Returns the requests to the floor.
 */
async function cheapestPages(stage: Stage, paths: readonly string[]): Promise<Ask[]> {
  const known: Parameters<Stage['teachStatements']>[0] = {}
  for (const path of paths) {
    const read = (await stage.capture.readsOf(path)).find(({ text }) => text.includes('task_cards'))
    const rows = /left join \(([\s\S]*)\) as page on true/.exec(read?.text ?? '')?.[1]
    if (!read || !rows) throw new Error(`The page ${path} is read in another way: cheapestPages must follow.`)
    known[`/cheapest${path}`] = {
      name: `cheapest_${read.name}`,
      text: `select string_agg(kept.text, ',') from (${rows}) as page join task_cards kept on kept.task_id = page.id`,
      values: read.values,
    }
  }
  return stage.teachStatements(known)
}

export async function measureDepth(stage: Stage, report: Report): Promise<void> {
  report.heading('The next page at depth, against the next page at the start (one request at a time)')
  for (const feed of feeds) {
    const depth = await depthIn(stage, feed)
    const lanes = [await pagesAt(stage.ours, feed.path, depth, pagesEach), await atStart(stage, feed.path)]
    const [deep, start] = await stage.alternate(lanes.map((paths) => paths.map((path) => askOf(stage.ours, path))))
    report.add({
      what: `${feed.name}, at ${figure(depth)}`,
      unit: 'ms',
      ours: deep?.p50 ?? NaN,
      floor: start?.p50 ?? NaN,
      aim: { atMost: 1.2 },
    })
  }
}

/** Returns the paths of the pages after the first page, which is not comparable with the others because only it has a total. */
const atStart = (stage: Stage, path: string, server = stage.ours) => pagesAt(server, path, 24, pagesEach)

export async function measureSize(stage: Stage, report: Report): Promise<void> {
  report.heading(`${figure(stage.settings.tasks)} tasks, against ${figure(stage.smallTasks)} (one request at a time)`)
  const compare = async (what: string, large: string[], small: string[]) => {
    const [ours, floor] = await stage.alternate([
      large.map((path) => askOf(stage.ours, path)),
      small.map((path) => askOf(stage.small, path)),
    ])
    report.add({ what, unit: 'ms', ours: ours?.p50 ?? NaN, floor: floor?.p50 ?? NaN, aim: { atMost: 1.2 } })
  }
  for (const { name, path } of feeds) {
    await compare(`${name}, first page`, [path], [path])
    await compare(`${name}, next page`, await atStart(stage, path), await atStart(stage, path, stage.small))
  }
  const [large, small] = await Promise.all([someRecords(stage.ours.port), someRecords(stage.small.port)])
  await compare('one task, the full record', large, small)
  await compare(
    'one task, with all it includes',
    large.map((path) => `${path}?included=true`),
    small.map((path) => `${path}?included=true`),
  )

  async function someRecords(port: number): Promise<string[]> {
    const server = port === stage.ours.port ? stage.ours : stage.small
    const answer = await fetch(`http://127.0.0.1:${port}${board}?limit=20`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const page: { data: { tasks: { id: string }[] } } = JSON.parse(await answer.text())
    return page.data.tasks.map(({ id }) => `/api/v1/tasks/${id}`)
  }
}

export async function measureTotal(stage: Stage, report: Report): Promise<void> {
  report.heading('The first page with its total, against the next page, which has none (one request at a time)')
  for (const { name, path } of feeds) {
    const next = await atStart(stage, path)
    const lanes = [[path], next].map((paths) => paths.map((it) => askOf(stage.ours, it)))
    const [first, second] = await stage.alternate(lanes)
    report.add({
      what: name,
      unit: 'ms',
      ours: first?.p50 ?? NaN,
      floor: second?.p50 ?? NaN,
      aim: { atMost: 2 },
    })
  }
}
