// In charge of reading one page of a list by keyset pagination, and of the cursor for the next page. The feeds of the board have
// their own code, in features/tasks/feed.
import { pageSizes } from '@atelier/contract/wire/envelope.ts'
import type { Cursors, Position } from '../cursor.ts'
import { type Answer, json } from './answer.ts'

export type ListQuery = { limit?: number; cursor?: string }

/** Returns `{items, meta: {next_cursor}}` as JSON text. One row more than fits on a page shows whether there is a next page. */
export async function listPage<Row>(
  { cursors, scope, query }: { cursors: Cursors; scope: string; query: ListQuery },
  read: (after: Position | null, take: number) => Promise<Row[]>,
  { text, position }: { text: (row: Row) => string; position: (row: Row) => Position },
): Promise<Answer> {
  const { page, ending } = await readPage({ cursors, scope, query }, read, position)
  return { data: json(`${pageBeginning}${page.map(text).join(',')}${ending}`) }
}

export const pageBeginning = '{"items":['

/** Returns the rows of a page, and the JSON text that follows the texts of the rows. */
export async function readPage<Row>(
  { cursors, scope, query }: { cursors: Cursors; scope: string; query: ListQuery },
  read: (after: Position | null, take: number) => Promise<Row[]>,
  position: (row: Row) => Position,
): Promise<{ page: Row[]; ending: string }> {
  const limit = query.limit ?? pageSizes.list
  const after = query.cursor === undefined ? null : cursors.read(scope, query.cursor)
  const rows = await read(after, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const next = last === undefined ? 'null' : JSON.stringify(cursors.write(scope, position(last)))
  return { page, ending: `],"meta":{"next_cursor":${next}}}` }
}
