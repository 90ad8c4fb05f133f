// In charge of measuring every field by which a feed can be sorted, in both directions, against sorting by newest first.
import { type Feed, sortFields } from '@atelier/contract/sort-fields.ts'
import type { Report } from '../report.ts'
import { askOf, pagesAt, type Stage } from '../stage.ts'

const feeds: { name: string; feed: Feed; path: string }[] = [
  { name: 'all columns', feed: 'board', path: '/api/v1/tasks/board?' },
  { name: 'one column', feed: 'board', path: '/api/v1/tasks/board?status=in_progress&' },
  { name: 'deleted feed', feed: 'deleted', path: '/api/v1/tasks/deleted?' },
]

const pagesEach = 5

export async function measureSorts(stage: Stage, report: Report): Promise<void> {
  for (const { name, feed, path } of feeds) {
    const fields = sortFields.filter((field) => field.feeds.some((there) => there === feed))
    const sorts = fields.flatMap((field) => [1, -1].map((direction) => ({ field: field.name, direction })))
    const lanes = []
    for (const sort of sorts) {
      const pages = await pagesAt(stage.ours, `${path}sort=${encodeURIComponent(JSON.stringify(sort))}`, 24, pagesEach)
      lanes.push(pages.map((page) => askOf(stage.ours, page)))
    }
    const results = await stage.alternate(lanes, stage.settings.seconds * 5)
    const base = sorts.findIndex(({ field, direction }) => field === 'created_at' && direction === -1)
    report.heading(`Sorting ${name}: the next page, against newest first`)
    for (const [at, { field, direction }] of sorts.entries()) {
      if (at === base) continue
      const what = `${field}, ${direction === 1 ? 'ascending' : 'descending'}`
      const [ours, floor] = [results[at]?.p50 ?? NaN, results[base]?.p50 ?? NaN]
      report.add({ what, unit: 'ms', ours, floor, aim: { atMost: 1.5 } })
    }
  }
}
