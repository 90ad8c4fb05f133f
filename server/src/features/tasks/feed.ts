// In charge of the board and deleted feeds: one page of cards as JSON text, by keyset, in as few statements as it takes.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { Feed, Sort } from '@atelier/contract/sort-fields.ts'
import type { Position } from '../../platform/cursor.ts'
import type { Database, Row } from '../../platform/db.ts'
import type { ParsedGroup } from './filter-parse.ts'
import { type Bind, boundsOf, compileFilter, compileRules } from './filter-sql.ts'
import { cardColumns } from './json.ts'
import { feedOrder, gather, nextRows, type Stretch, walk } from './keyset.ts'
import { byOneProcess, hasGrams, hasNumber, hasTerm, readSearch, type Search } from './search.ts'
import { sortKeys } from './sort.ts'

export type FeedRequest = {
  feed: Feed
  status: TaskStatus | null
  filter: ParsedGroup | null
  sort: Sort
  search: string | null
  after: Position | null
  limit: number
  retentionSeconds: number
}

/** A page as JSON texts; `last` is where the next one starts, null on the last page. */
export type FeedPage = { tasks: string; users: string; products: string; last: Position | null }

const emptyPage: FeedPage = { tasks: '[]', users: '{}', products: '{}', last: null }

/** Collects values and hands out their placeholders. */
class Values {
  readonly list: unknown[] = []
  readonly bind: Bind = (value) => {
    this.list.push(value)
    return `$${this.list.length}`
  }
}

/** Conditions that say which tasks are in the feed at all. */
function membership({ feed, status, retentionSeconds }: FeedRequest, bind: Bind): string[] {
  if (feed === 'deleted') {
    const seconds = `${bind(retentionSeconds, 'float8')}::float8`
    return ['t.deleted_at is not null', `t.deleted_at > now() - make_interval(secs => ${seconds})`]
  }
  return ['t.deleted_at is null', ...(status ? [`t.status = ${bind(status, 'task_status')}::task_status`] : [])]
}

/** Conditions of everything a request selects, in the form that indexes can serve. */
function selected(request: FeedRequest, search: Search | null, bind: Bind): string[] {
  const conditions = membership(request, bind)
  if (search?.kind === 'number') conditions.push(hasNumber(search.number, bind))
  if (search?.kind === 'text') conditions.push(hasTerm(search.folded, bind), hasGrams(search.folded, bind))
  if (request.filter) conditions.push(compileFilter(request.filter, bind, 't'))
  return conditions
}

/** Everything a request selects, without a position, as a WHERE: what a total counts. */
export function selection(request: FeedRequest): { where: string; values: unknown[] } | 'nothing' {
  const search = readSearch(request.search)
  if (search?.kind === 'nothing') return 'nothing'
  const values = new Values()
  return { where: selected(request, search, values.bind).join(' and '), values: values.list }
}

/**
 * The page itself: cards, the people and products they name, and where the next page starts. Built as JSON text by the
 * database and sent as it is: 1.3 to 2 times the requests per second of rows turned into objects and back.
 * `row_to_json` over a named sub-select beats json_build_object on wide rows.
 */
function pageSql({ sort, limit }: FeedRequest, rows: string, steps: string[] = [], isDone = 'true'): string {
  return `
    with ${steps.map((step) => `${step},`).join('\n')}
    keyed as materialized (
      select *, row_number() over (order by ${feedOrder(sort)}) as place from (${rows}) as keyset
    ),
    page as materialized (
      select keyed.place, t.* from keyed join tasks t on t.id = keyed.id where keyed.place <= ${limit}
    )
    select
      coalesce((
        select string_agg((select row_to_json(card)::text from (select ${cardColumns}) as card), ',' order by t.place)
        from page t
      ), ''),
      coalesce((
        select json_object_agg(u.id, json_build_object(
          'id', u.id, 'name', u.name, 'email', u.email, 'image_url', u.image_url))::text
        from users u
        where u.id in (select assignee_id from page union select task_owner_id from page)
      ), '{}'),
      coalesce((
        select json_object_agg(p.id, json_build_object('id', p.id, 'name', p.name))::text
        from products p where p.id in (select product_id from page)
      ), '{}'),
      (select ${sortKeys[sort.field].text} from keyed where place = ${limit}),
      (select id from keyed where place = ${limit}),
      (select count(*) > ${limit} from keyed),
      ${isDone}`
}

function toPage(row: Row | undefined): { page: FeedPage; isDone: boolean } {
  const [tasks, users, products, key, id, more, isDone] = row ?? []
  const last = more === true ? { key: typeof key === 'string' ? key : null, id: String(id) } : null
  return { page: { tasks: `[${tasks}]`, users: String(users), products: String(products), last }, isDone: !!isDone }
}

/** Rows of a zone that a walk looks at before it gives up. */
export const walkRows = 2_000

/**
 * Reads a page. Searches and filters are read in two ways, because neither is quick for all of them: a walk along the
 * sort index over the next 2,000 rows finds a page of whatever is common; what is rarer than that is gathered by the
 * index that fits, and sorted. Measured on 1,000,000 tasks: docs/decisions/0004-search.md.
 */
export async function readFeed(database: Database, request: FeedRequest, most = walkRows): Promise<FeedPage> {
  const search = readSearch(request.search)
  if (search?.kind === 'nothing') return emptyPage
  if (search === null && request.filter === null) return readPlain(database, request)
  const walked = search?.kind === 'number' ? null : await readByWalk(database, request, search?.folded ?? null, most)
  return walked ?? readByGathering(database, request, search)
}

const stretchOf = (
  { feed, status, sort, after }: FeedRequest,
  conditions: readonly string[],
  { bind }: Values,
): Stretch => ({ feed, status, sort, after, conditions, bind })

/** Plain pages have few shapes and are kept prepared; filters and searches are planned for their own values. */
async function readPlain(database: Database, request: FeedRequest): Promise<FeedPage> {
  const values = new Values()
  const rows = nextRows(stretchOf(request, membership(request, values.bind), values), request.limit + 1)
  const [row] = await database.read({ name: plainName(request), text: pageSql(request, rows) }, values.list)
  return toPage(row).page
}

/** Page sizes worth a prepared statement in every connection. */
const preparedLimits = new Set([24, 50, 100])

/** One name for each text a plain page can have. The limit is part of the text: bound, it would spoil the plan. */
const plainName = ({ feed, status, sort, after, limit }: FeedRequest): string | null =>
  preparedLimits.has(limit)
    ? `feed_${feed}_${status ? 1 : 0}_${sort.field}_${sort.direction}_${after ? (after.key === null ? 2 : 1) : 0}_${limit}`
    : null

/** The page, if the next rows of the feed hold it, or hold all that is left of the feed; else null. */
async function readByWalk(
  database: Database,
  request: FeedRequest,
  folded: string | null,
  most: number,
): Promise<FeedPage | null> {
  const values = new Values()
  const { bounds, rest } = boundsOf(request.filter, request.sort.field)
  const conditions = [...membership(request, values.bind), ...compileRules(bounds, values.bind, 't')]
  const hits = [
    ...(folded === null ? [] : [hasTerm(folded, values.bind)]),
    ...(rest === null ? [] : [compileFilter(rest, values.bind, 't')]),
  ]
  const hit = hits.length === 0 ? 'true' : `(${hits.join(' and ')})`
  const { steps, rows, isDone } = walk(stretchOf(request, conditions, values), hit, request.limit + 1, most)
  const [row] = await database.read({ name: null, text: pageSql(request, rows, steps, isDone) }, values.list)
  const read = toPage(row)
  return read.isDone || read.page.last !== null ? read.page : null
}

async function readByGathering(database: Database, request: FeedRequest, search: Search | null): Promise<FeedPage> {
  const values = new Values()
  const conditions = selected(request, search, values.bind)
  if (search?.kind === 'text') conditions.push(byOneProcess)
  const rows = gather(stretchOf(request, conditions, values), request.limit + 1)
  const [row] = await database.read({ name: null, text: pageSql(request, rows) }, values.list)
  return toPage(row).page
}
