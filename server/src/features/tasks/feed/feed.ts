// In charge of reading one page of the board feed or of the deleted feed, as JSON text and with as few SQL statements as possible.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { Feed, Sort } from '@atelier/contract/sort-fields.ts'
import type { Position } from '../../../platform/cursor.ts'
import type { Database, Row } from '../../../platform/db.ts'
import { directoryVersion } from '../../../platform/directory.ts'
import { cardOf } from '../card-text.ts'
import type { ParsedGroup } from './filter-parse.ts'
import { type Bind, boundsOf, compileFilter, compileRules } from './filter-sql.ts'
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

/**
 * A page: the cards as JSON text, and the ids of users and products on the cards. `version`: how often users and products had
 * changed when the page was read. `last`: the position of the page's last card; null if there is no further page.
 */
export type FeedPage = {
  tasks: string
  people: ReadonlySet<string>
  products: ReadonlySet<string>
  version: number
  last: Position | null
}

const emptyPage: FeedPage = { tasks: '[]', people: new Set(), products: new Set(), version: 0, last: null }

/** Collects the values for an SQL statement, and returns a placeholder for each. */
class Values {
  readonly list: unknown[] = []
  readonly bind: Bind = (value) => {
    this.list.push(value)
    return `$${this.list.length}`
  }
}

/** Returns the SQL conditions for a task to belong to the feed. */
function membership({ feed, status, retentionSeconds }: FeedRequest, bind: Bind): string[] {
  if (feed === 'deleted') {
    const seconds = `${bind(retentionSeconds, 'float8')}::float8`
    return ['t.deleted_at is not null', `t.deleted_at > now() - make_interval(secs => ${seconds})`]
  }
  return ['t.deleted_at is null', ...(status ? [`t.status = ${bind(status, 'task_status')}::task_status`] : [])]
}

/** Returns all SQL conditions of a request, written so that indexes can be used. */
function selected(request: FeedRequest, search: Search | null, bind: Bind): string[] {
  const conditions = membership(request, bind)
  if (search?.kind === 'number') conditions.push(hasNumber(search.number, bind))
  if (search?.kind === 'text') conditions.push(hasTerm(search.folded, bind), hasGrams(search.folded, bind))
  if (request.filter) conditions.push(compileFilter(request.filter, bind, 't'))
  return conditions
}

/** Returns the WHERE clause for all pages of a request together, for counting; `nothing` if no task can match the search. */
export function selection(request: FeedRequest): { where: string; values: unknown[] } | 'nothing' {
  const search = readSearch(request.search)
  if (search?.kind === 'nothing') return 'nothing'
  const values = new Values()
  return { where: selected(request, search, values.bind).join(' and '), values: values.list }
}

/**
 * Builds the SQL of a page. `rows`: SQL for the ids of its tasks; `steps`: CTEs that `rows` uses; `isDone`: SQL for whether the
 * feed has no further rows. The result has a row for each card, and one more row if there is a next page. A page without cards has
 * one row, with `is_done` and `version`. Cards are sent as the JSON text that the database stores; people and products on them are
 * looked up separately (docs/decisions/0029-kept-texts.md).
 */
function pageSql({ sort }: FeedRequest, rows: string, steps: string[] = [], isDone = 'true'): string {
  return `
    ${steps.length > 0 ? `with ${steps.join(',\n')}` : ''}
    select ${cardOf.text}, ${cardOf.named}, ${sortKeys[sort.field].text} as key_text, page.id, read.is_done, read.version
    from (select ${isDone} as is_done, ${directoryVersion} as version) as read
    left join (${rows}) as page on true
    ${cardOf.join}
    order by ${feedOrder(sort)}`
}

function toPage(rows: readonly Row[], { limit }: FeedRequest): { page: FeedPage; isDone: boolean } {
  const [first] = rows
  const shown = first?.[3] === null ? [] : rows.slice(0, limit)
  const people = new Set<string>()
  const products = new Set<string>()
  let tasks = ''
  for (const [text, named] of shown) {
    tasks += tasks === '' ? text : `,${text}`
    addNamed(String(named), people, products)
  }
  const [, , key, id] = shown.at(-1) ?? []
  const last = rows.length > limit ? { key: typeof key === 'string' ? key : null, id: String(id) } : null
  const version = Number(first?.[5])
  return { page: { tasks: `[${tasks}]`, people, products, version, last }, isDone: first?.[4] === true }
}

/** Adds what a card names: assignee, owner and product, of which each may be empty. Cut by hand: `split` takes three times as long. */
function addNamed(named: string, people: Set<string>, products: Set<string>): void {
  const owner = named.indexOf(',') + 1
  const product = named.indexOf(',', owner) + 1
  if (owner > 1) people.add(named.slice(0, owner - 1))
  if (product > owner + 1) people.add(named.slice(owner, product - 1))
  if (product < named.length) products.add(named.slice(product))
}

/** How many rows a walk examines at most in each zone (rows with a sort key, rows without one). */
export const walkRows = 2_000

/**
 * Reads a page. With a search or a filter there are two ways, since neither is fast in all cases. If many tasks match, a walk over
 * the next 2,000 rows of the sort index finds enough of them. If the walk does not, few tasks match: then all matching tasks are
 * collected by the best index, and sorted. A search for a number skips the walk. docs/decisions/0004-search.md has measurements.
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

/**
 * Reads a page without search and filter. There are few kinds of such pages, so their SQL is prepared. The SQL of other pages is
 * planned for each request.
 */
async function readPlain(database: Database, request: FeedRequest): Promise<FeedPage> {
  const values = new Values()
  const rows = nextRows(stretchOf(request, membership(request, values.bind), values), request.limit + 1)
  const name = plainName(request)
  const read = await database.read({ name, text: pageSql(request, rows), brief: name !== null }, values.list)
  return toPage(read, request).page
}

/** Common page sizes, for which each connection keeps a prepared statement. */
const preparedLimits = new Set([24, 50, 100])

/**
 * Returns a name for the prepared statement of a request; null if the statement is not prepared. The name contains the limit, since
 * the limit is part of the SQL: PostgreSQL makes a worse plan if the limit is a parameter.
 */
const plainName = ({ feed, status, sort, after, limit }: FeedRequest): string | null =>
  preparedLimits.has(limit)
    ? `feed_${feed}_${status ? 1 : 0}_${sort.field}_${sort.direction}_${after ? (after.key === null ? 2 : 1) : 0}_${limit}`
    : null

/** Examines only the next rows of the feed. Returns the page if these rows fill it or the feed ends within them, otherwise null. */
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
  const found = await database.read({ name: null, text: pageSql(request, rows, steps, isDone) }, values.list)
  const read = toPage(found, request)
  return read.isDone || read.page.last !== null ? read.page : null
}

async function readByGathering(database: Database, request: FeedRequest, search: Search | null): Promise<FeedPage> {
  const values = new Values()
  const conditions = selected(request, search, values.bind)
  if (search?.kind === 'text') conditions.push(byOneProcess)
  const rows = gather(stretchOf(request, conditions, values), request.limit + 1)
  const read = await database.read({ name: null, text: pageSql(request, rows) }, values.list)
  return toPage(read, request).page
}
