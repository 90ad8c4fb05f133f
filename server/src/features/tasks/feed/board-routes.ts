// In charge of the HTTP routes of the board: the feeds of active and of deleted tasks, the columns, and the schema.
import { statusInfo, type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import type { Feed } from '@atelier/contract/sort-fields.ts'
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import { pageSizes } from '@atelier/contract/wire/envelope.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import type { Database } from '../../../platform/db.ts'
import { type Answer, json } from '../../../platform/http/answer.ts'
import type { Bind, QueryErrors } from '../../../platform/http/bind.ts'
import type { Services } from '../../../platform/services.ts'
import { taskSchema } from '../schema.ts'
import { type FeedRequest, readFeed } from './feed.ts'
import { parseFilter, type Vocabularies } from './filter-parse.ts'
import { canonicalFilter } from './filter-sql.ts'
import { parseSort } from './sort.ts'
import { columnTotals, readTotal } from './totals.ts'

type FeedQuery = {
  status?: TaskStatus
  query?: string
  sort?: string
  limit?: number
  cursor?: string | undefined
  search?: string
}

export function bindBoard(bind: Bind, services: Services): void {
  const { config, database } = services
  const vocabularies = valuesOf(config.vocabulary)
  const feed =
    (name: Feed) =>
    async ({ query }: { query: FeedQuery }) =>
      servePage(services, parseFeed(services, name, query, vocabularies))
  const errors =
    (name: Feed): QueryErrors =>
    (query, refused) => {
      const found: ValidationError[] = []
      // The cursor is checked only if the other parameters are valid, since they determine whether the cursor belongs to this list.
      const { cursor, ...rest }: FeedQuery = query
      const isClear = ['status', 'query', 'sort', 'search'].every((member) => !refused.has(member))
      collect(found, () => parseFeed(services, name, isClear ? { ...rest, cursor } : rest, vocabularies))
      return found
    }

  bind(routes.tasksBoard, feed('board'), errors('board'))
  bind(routes.tasksDeleted, feed('deleted'), errors('deleted'))

  bind(routes.tasksColumns, async () => {
    const totals = await columnTotals(database.main)
    return { data: taskStatuses.map((status) => ({ status, ...statusInfo[status], total: totals[status] })) }
  })

  const schema = taskSchema(config)
  bind(routes.tasksSchema, async () => ({ data: schema }))
}

type Asked = { request: FeedRequest; scope: string; firstPage: boolean }

/** Parses the parameters of a feed. Throws a 422 that lists all errors. */
function parseFeed({ config, cursors }: Services, feed: Feed, query: FeedQuery, vocabularies: Vocabularies): Asked {
  const filter = query.query === undefined ? { group: null } : parseFilter(query.query, vocabularies)
  const errors = 'errors' in filter ? [...filter.errors] : []
  const sort = collect(errors, () => parseSort(query.sort, feed))
  const group = 'errors' in filter ? null : filter.group
  const search = query.search === '' ? null : (query.search ?? null)
  const status = query.status ?? null
  const scope = JSON.stringify([feed, status, canonicalFilter(group), sort, search])
  const after = query.cursor === undefined || errors.length > 0 ? null : cursors.read(scope, query.cursor)
  if (errors.length > 0 || sort === null) throw new Invalid(errors)
  const limit = query.limit ?? pageSizes.feed
  const retentionSeconds = config.retention.seconds
  const request = { feed, status, filter: group, sort, search, after, limit, retentionSeconds }
  return { request, scope, firstPage: query.cursor === undefined }
}

function collect<T>(errors: Invalid['detail'], parse: () => T): T | null {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    errors.push(...error.detail)
    return null
  }
}

async function servePage(
  { database, directory, cursors }: Services,
  { request, scope, firstPage }: Asked,
): Promise<Answer> {
  const counting = firstPage ? readTotal(database, request) : Promise.resolve(null)
  const [{ page, named }, total] = await Promise.all([readNamed(database, directory, request), counting])
  const next = page.last ? JSON.stringify(cursors.write(scope, page.last)) : 'null'
  const users = membersOf(page.people, (id) => named.people.get(id)?.user)
  const products = membersOf(page.products, (id) => named.products.get(id))
  return {
    data: json(
      `{"tasks":${page.tasks},"included":{"users":${users},"products":${products},"creatives":{},` +
        `"task_creatives":[]},"meta":{"next_cursor":${next},"total":${total}}}`,
    ),
  }
}

async function readNamed(database: Database, directory: Services['directory'], request: FeedRequest) {
  const page = await readFeed(database, request)
  return { page, named: await directory.named(page.version, page.people, page.products) }
}

/** Builds a JSON object that maps ids to JSON texts. Ids without a text are left out. */
function membersOf(ids: Iterable<string>, textOf: (id: string) => string | null | undefined): string {
  let members = ''
  for (const id of ids) {
    const text = textOf(id)
    if (text) members += `${members === '' ? '' : ','}"${id}":${text}`
  }
  return `{${members}}`
}
