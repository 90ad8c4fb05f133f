// In charge of reading feeds page by page in tests and benchmarks: tasks with many nulls and equal sort keys, reading all pages,
// and a second implementation of the order in plain JavaScript.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { type Feed, type Sort, type SortName, sortFields } from '@atelier/contract/sort-fields.ts'
import type { Database, Row } from '../../src/platform/db.ts'

/** Names that differ only in case, that become longer when case-folded, or that sort differently by UTF-16 than by code points. */
const words = [
  ...['glow', 'Glow', 'GLOW serum', 'Äther', 'äther', 'Ather', 'Straße', 'STRASSE', 'strasse', 'Σοφός', 'ΣΟΦΌΣ'],
  ...['İstanbul', 'istanbul', 'ırmak', 'Zebra', 'éclair', 'e\u0301clair', '日本', 'مرحبا', 'ﬁlm', 'Ａ wide', '🎬 cut'],
  ...['😀', '\u{10ffff}', '\ue000', 'a_b', 'a%b', 'a\\b', "o'clock", '"quoted"', '- dash', '[x]', '~'],
]

/** SQL for a pseudo-random number from 0 to `below` - 1; it depends only on the row number `i` and on `purpose`. */
const draw = (purpose: number, below: number): string => `(hashint8extended(i, ${purpose}) & 1073741823) % ${below}`
const sometimes = (purpose: number, percent: number, value: string): string =>
  `case when ${draw(purpose, 100)} < ${percent} then ${value} end`
const stamp = (purpose: number, steps: number, step: string): string =>
  `timestamptz '2026-01-01 00:00Z' + (${draw(purpose, steps)}) * interval '${step}'`

const peopleSql = `
  insert into users (id, name, email, role)
  select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'Person ' || i, null, 'writer'
  from generate_series(1, 5) as i`
const productsSql = `
  insert into products (id, name, code)
  select ('00000000-0000-7000-9000-' || lpad(i::text, 12, '0'))::uuid, 'Product ' || i, 'p' || i
  from generate_series(1, 3) as i`

/** SQL for tasks: a quarter is deleted; names, dates and numbers are often equal and often null. */
const tasksSql = `
  insert into tasks (id, name, search_text, status, test_status, priority, deadline_at, launched_at, completed_at,
    created_at, updated_at, deleted_at, delete_id, creation_complexity, count, assignee_id, product_id, geo,
    varied_elements, manual_launch)
  select md5('task ' || i)::uuid, word || ending, folded || lower(ending) || E'\\n',
    (enum_range(null::task_status))[1 + ${draw(1, 7)}], (enum_range(null::test_status))[1 + ${draw(2, 4)}],
    ${sometimes(3, 60, `1 + ${draw(4, 5)}`)}, ${sometimes(5, 50, stamp(6, 40, '1 day'))},
    ${sometimes(7, 40, stamp(8, 5000, '7 milliseconds'))}, ${sometimes(9, 30, stamp(10, 9, '1 second'))},
    ${stamp(11, 300, '1 hour')}, ${stamp(12, 100, '1 millisecond')},
    ${sometimes(13, 25, `date_trunc('second', now()) - (${draw(14, 500)}) * interval '1 hour'`)},
    ${sometimes(13, 25, "'00000000-0000-7000-8000-000000000000'::uuid")},
    ${sometimes(15, 70, draw(16, 8))}, ${sometimes(17, 60, draw(18, 4))},
    ${sometimes(19, 70, `('00000000-0000-7000-8000-' || lpad((1 + ${draw(20, 5)})::text, 12, '0'))::uuid`)},
    ${sometimes(21, 70, `('00000000-0000-7000-9000-' || lpad((1 + ${draw(22, 3)})::text, 12, '0'))::uuid`)},
    ${sometimes(23, 50, "'US'")}, case ${draw(24, 3)} when 0 then '{}'::text[] when 1 then '{hook}' else '{hook,angle}' end,
    ${draw(25, 2)} = 0
  from generate_series($3::bigint, $4::bigint) as i
  join (select word, folded, at from unnest($1::text[], $2::text[]) with ordinality as w (word, folded, at)) as named
    on named.at = 1 + ${draw(26, words.length)}
  cross join lateral (select case when ${draw(27, 3)} = 0 then '' else ' T' || ${draw(28, 30)} end as ending) as varied`

const batchRows = 5_000

/** Fills an empty database with tasks; the same count produces the same tasks. */
export async function seedTasks(database: Database, count: number): Promise<void> {
  const run = (text: string, values: unknown[] = []) => database.read({ name: null, text }, values)
  await run(peopleSql)
  await run(productsSql)
  for (let from = 1; from <= count; from += batchRows) {
    await run(tasksSql, [words, words.map(foldText), from, Math.min(from + batchRows - 1, count)])
  }
}

/** A list of tasks: one column of the board, the whole board (`status` null), or the Deleted feed. */
export type View = { feed: Feed; status: TaskStatus | null }

/** Every view with every field that can sort it, in both directions. */
export function* everyOrder(statuses: readonly (TaskStatus | null)[]): Generator<{ view: View; sort: Sort }> {
  const board = statuses.map((status) => ({ feed: 'board' as const, status }))
  for (const view of [...board, { feed: 'deleted' as const, status: null }]) {
    for (const { name, feeds } of sortFields) {
      if (!feeds.some((feed) => feed === view.feed)) continue
      for (const direction of [1, -1] as const) yield { view, sort: { field: name, direction } }
    }
  }
}

/** The parts of a task that sorting needs. */
export type Sortable = { id: string; status: TaskStatus; keys: Record<SortName, string | number | null> }

const stamps = ['created_at', 'updated_at', 'deleted_at', 'deadline_at', 'launched_at', 'completed_at'] as const
const numbers = ['number', 'priority', 'creation_points'] as const
const columns = ['id', 'status', 'name', ...stamps, ...numbers] as const

/** All tasks of a database, live and deleted, unsorted, with sort keys that `<` can compare. */
export async function readSortables(database: Database): Promise<Sortable[]> {
  const rows = await database.read({ name: null, text: `select ${columns.join(', ')} from tasks` }, [])
  return rows.map(toSortable)
}

function toSortable(row: Row): Sortable {
  const text = (name: (typeof columns)[number]): string | null => {
    const value = row[columns.indexOf(name)]
    return value === null ? null : String(value)
  }
  const number = (name: (typeof numbers)[number]) => (text(name) === null ? null : Number(text(name)))
  const status = taskStatuses.find((known) => known === text('status')) ?? 'backlog'
  return {
    id: text('id') ?? '',
    status,
    keys: {
      created_at: text('created_at'),
      updated_at: text('updated_at'),
      deleted_at: text('deleted_at'),
      deadline_at: text('deadline_at'),
      launched_at: text('launched_at'),
      completed_at: text('completed_at'),
      number: number('number'),
      priority: number('priority'),
      creation_points: number('creation_points'),
      status: taskStatuses.indexOf(status),
      name: byCodePoint(foldText(text('name') ?? '')),
    },
  }
}

/** Converts a text so that the result's UTF-16 order is the code point order of the text. */
const byCodePoint = (text: string): string =>
  Array.from(text, (character) => character.codePointAt(0)?.toString(16).padStart(6, '0')).join('')

/**
 * The ids of a view in a sort's order: nulls are last in both directions, and equal keys are sorted by id in the sort's direction.
 */
export function ordered(tasks: readonly Sortable[], { feed, status }: View, { field, direction }: Sort): string[] {
  const inView = tasks.filter(({ keys, status: own }) =>
    feed === 'deleted' ? keys.deleted_at !== null : keys.deleted_at === null && (status === null || own === status),
  )
  return inView
    .toSorted((a, b) => {
      const [left, right] = [a.keys[field], b.keys[field]]
      if (left !== null && right !== null && left !== right) return left < right ? -direction : direction
      if (left !== right) return left === null ? 1 : -1
      return a.id < b.id ? -direction : direction
    })
    .map(({ id }) => id)
}

/** The URL of a view's first page, or of the page at a cursor. */
export function feedPath(
  { feed, status }: View,
  parameters: { sort?: Sort; limit?: number; cursor?: string | null; search?: string | null; query?: unknown },
): string {
  const query = new URLSearchParams()
  if (status !== null) query.set('status', status)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined) continue
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return `/api/v1/tasks/${feed}?${query}`
}

/** The parts of a page that paging needs. */
export type Page = { tasks: { id: string }[]; meta: { next_cursor: string | null; total: number | null } }

/** The ids of all pages in order. `between` runs after each page that has a next page. */
export async function pageThrough(
  read: (cursor: string | null) => Promise<Page>,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let page = 1; ; page++) {
    const { tasks, meta }: Page = await read(cursor)
    ids.push(...tasks.map(({ id }) => id))
    if (meta.next_cursor === null) return ids
    // Only the tasks of a page move the cursor on, so this loop might never end if empty pages had next pages.
    if (tasks.length === 0) throw new Error(`Page ${page} is empty and says that there is another.`)
    cursor = meta.next_cursor
    await between(page)
  }
}
