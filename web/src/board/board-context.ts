// In charge of the data that every part of the board needs: the columns, the parameters for requesting their cards, and the users
// and products that cards refer to.
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { durationMs } from '../lib/dates.ts'
import { callerQuery, peopleQuery, productsQuery, schemaQuery } from '../lib/queries.ts'
import type { ColumnName, Person, Product, TaskSchema } from '../lib/types.ts'
import { timeFields } from './filter-fields.ts'
import { type BoardSearch, type FeedParams, feedParams, parseSort, type Sort } from './search-params.ts'

export type Column = { name: ColumnName; label: string; group: 'todo' | 'in_progress' | 'complete' | 'deleted' }

export type Board = {
  schema: TaskSchema
  search: BoardSearch
  /** One column for each status of the workflow, and last the Deleted column. */
  columns: readonly Column[]
  paramsOf: (column: ColumnName) => FeedParams
  /** The order of the cards in a column. */
  sortOf: (column: ColumnName) => Sort
  people: ReadonlyMap<string, Person>
  products: ReadonlyMap<string, Product>
  /** An automation that is still queued or running this many milliseconds after it was queued is shown as stalled. */
  timeoutMs: number
  /** How many milliseconds after its deletion a task can still be restored. */
  retentionMs: number
  canWrite: boolean
}

const BoardContext = createContext<Board | null>(null)
export const BoardProvider = BoardContext.Provider

export function useBoard(): Board {
  const board = useContext(BoardContext)
  if (!board) throw new Error('This part belongs on the board.')
  return board
}

export const byId = <T extends { id: string }>(items: readonly T[] | undefined): ReadonlyMap<string, T> =>
  new Map((items ?? []).map((item) => [item.id, item]))

/** Returns the board for the parameters in the page's address; `board` is null until the service has sent the schema. */
export function useBoardOf(search: BoardSearch): { board: Board | null; error: unknown; retry: () => void } {
  const schema = useQuery(schemaQuery)
  const people = useQuery(peopleQuery).data
  const products = useQuery(productsQuery).data
  const scopes = useQuery(callerQuery).data?.scopes
  const { q, filter, sort } = search
  const board = useMemo(() => {
    if (!schema.data) return null
    const search = { ...(q ? { q } : {}), ...(filter ? { filter } : {}), ...(sort ? { sort } : {}) }
    return {
      schema: schema.data,
      search,
      ...columnsOf(schema.data, search),
      people: byId(people),
      products: byId(products),
      timeoutMs: durationMs(schema.data.automation_run_timeout),
      retentionMs: durationMs(schema.data.retention_window),
      canWrite: scopes?.includes('tasks:write') ?? false,
    }
  }, [schema.data, people, products, scopes, q, filter, sort])
  return { board, error: schema.error, retry: () => void schema.refetch() }
}

function columnsOf(schema: TaskSchema, search: BoardSearch): Pick<Board, 'columns' | 'paramsOf' | 'sortOf'> {
  const deleted: Column = { name: 'deleted', label: 'Deleted', group: 'deleted' }
  const columns = [...schema.statuses.map(({ value, label, group }) => ({ name: value, label, group })), deleted]
  const feeds = ['board', 'deleted'] as const
  const times = timeFields(schema.filter_fields)
  const of = Object.fromEntries(
    feeds.map((feed) => {
      const sortable = schema.sort_fields.filter(({ feeds }) => feeds.includes(feed)).map(({ name }) => name)
      const asked = parseSort(search.sort)
      const { field, direction } = schema.default_sort[feed]
      const fallback: Sort = { field, direction: direction === 1 ? 1 : -1 }
      const sort = asked && sortable.includes(asked.field) ? asked : fallback
      return [feed, { params: feedParams(search, sortable, times), sort }]
    }),
  )
  const feedOf = (column: ColumnName) => {
    const found = of[column === 'deleted' ? 'deleted' : 'board']
    if (!found) throw new Error('Every column has a feed.')
    return found
  }
  return { columns, paramsOf: (column) => feedOf(column).params, sortOf: (column) => feedOf(column).sort }
}
