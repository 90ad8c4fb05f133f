// In charge of measuring searches (terms of every length and frequency) and filters: each against its bare SQL, and the terms also
// against each other.
import type { Read } from '../capture.ts'
import type { Report } from '../report.ts'
import { askOf, readTotal, type Stage } from '../stage.ts'
import { searchTerms } from '../words.ts'

const feed = '/api/v1/tasks/board?limit=24'

/**
 * Leaves out the read of a page's total, which is the read with a time limit. For every slow term this read takes as long as its
 * limit, so with it all slow terms would seem to take the same time.
 */
function pageOnly(reads: Read[]): Read[] {
  const kept = reads.flatMap((read, place) => (read.timeoutMs === null ? [place] : []))
  return kept.flatMap((place) => {
    const read = reads[place]
    const after = read?.after === null || read === undefined ? -1 : kept.indexOf(read.after)
    return read ? [{ ...read, after: after < 0 ? null : after }] : []
  })
}

type Asked = { name: string; path: string; isLong?: boolean }
type Found = Asked & { total: number | null; http: number; sql: number; page: number }

async function measureEach(stage: Stage, all: readonly Asked[]): Promise<Found[]> {
  const { seconds } = stage.settings
  const whole: Omit<Found, 'page'>[] = []
  for (const asked of all) {
    const total = await readTotal(stage.ours, asked.path)
    const lanes = [[askOf(stage.ours, asked.path)], await stage.teachFloor([asked.path])]
    const [http, sql] = await stage.alternate(lanes, seconds)
    whole.push({ ...asked, total, http: http?.p50 ?? NaN, sql: sql?.p50 ?? NaN })
  }
  // The reads of a page without its total are measured together, one request of each in turn, so that the figures of the search
  // terms can be compared with each other.
  const parts = await stage.teachPart(
    all.map(({ path }) => path),
    pageOnly,
  )
  const pages = await stage.alternate(
    parts.map((ask) => [ask]),
    seconds * all.length * 0.5,
  )
  return whole.map((one, at) => ({ ...one, page: pages[at]?.p50 ?? NaN }))
}

const told = ({ name, total }: Found) =>
  `${name} (${total === null ? 'too many to count' : total.toLocaleString('en')})`

export async function measureSearch(stage: Stage, report: Report): Promise<void> {
  const found = await measureEach(
    stage,
    searchTerms.map(({ term, length, means }) => ({
      name: `“${term}”, ${means}`,
      path: `${feed}&search=${encodeURIComponent(term)}`,
      isLong: length > 3,
    })),
  )
  report.heading('Search: the first page of all columns, against the same SQL on the floor (found in brackets)')
  for (const one of found) {
    report.add({ what: told(one), unit: 'ms', ours: one.http, floor: one.sql, aim: { atMost: 1.5 } })
  }
  report.heading('Search: the page alone, without its total, against the slowest term of more than 3 characters')
  const slowest = Math.max(...found.filter(({ isLong }) => isLong).map(({ page }) => page))
  for (const one of found) {
    const aim = one.isLong ? {} : { aim: { atMost: 1.2 } }
    report.add({ what: told(one), unit: 'ms', ours: one.page, floor: slowest, ...aim })
  }
}

type Rule = { field: string; operator: string; value?: unknown }
const filters: { name: string; rules: Rule[] }[] = [
  { name: 'priority is 1', rules: [{ field: 'priority', operator: '=', value: 1 }] },
  { name: 'no deadline', rules: [{ field: 'deadline_at', operator: 'null' }] },
  { name: 'language is fr or es', rules: [{ field: 'language', operator: 'in', value: ['fr', 'es'] }] },
  { name: 'name contains “quartz”', rules: [{ field: 'name', operator: 'contains', value: 'quartz' }] },
  {
    name: 'in progress, priority not 1, video',
    rules: [
      { field: 'status', operator: '=', value: 'in_progress' },
      { field: 'priority', operator: '!=', value: 1 },
      { field: 'media_type', operator: '=', value: 'video' },
    ],
  },
]

export async function measureFilters(stage: Stage, report: Report): Promise<void> {
  const [[person] = []] = await stage.sql(
    'select assignee_id from tasks where assignee_id is not null group by 1 order by count(*), 1 limit 1',
  )
  const rare = { name: 'the least busy assignee', rules: [{ field: 'assignee_id', operator: '=', value: person }] }
  const found = await measureEach(
    stage,
    [rare, ...filters].map(({ name, rules }) => ({
      name,
      path: `${feed}&query=${encodeURIComponent(JSON.stringify({ combinator: 'and', rules }))}`,
    })),
  )
  report.heading('Filters: the first page of all columns, against the same SQL on the floor (found in brackets)')
  for (const one of found) {
    report.add({ what: told(one), unit: 'ms', ours: one.http, floor: one.sql, aim: { atMost: 1.5 } })
  }
  report.heading('Filters: the page alone, without its total')
  for (const one of found) report.add({ what: told(one), unit: 'ms', ours: one.page })
}
