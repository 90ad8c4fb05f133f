// In charge of the board following what others do: columns that tasks left or came to are read again, the others are not.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { listenLive } from '../lib/live-connection.ts'
import type { ColumnName } from '../lib/types.ts'
import { type Board, useBoard } from './board-context.ts'
import { cardsOf, type Feed, withoutCards } from './feed-edits.ts'
import { feedQuery } from './feed-query.ts'
import { columnsToRead, type Whereabouts } from './told-columns.ts'
import { boardWrite } from './use-feeds.ts'

const gatherMs = 200
/** Of more at once, asking where each of them is costs more than reading the columns. */
const many = 8

export function useLiveBoard(): void {
  const client = useQueryClient()
  const board = useBoard()
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    const read = async () => {
      timer = undefined
      isReading = true
      const ids = [...changed]
      changed.clear()
      const began = performance.now()
      await follow(client, board, ids)
      isReading = false
      if (changed.size > 0) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
    }
    const stop = listenLive((told) => {
      if (told === 'missed') return
      for (const { kind, id } of told) if (kind === 'task') changed.add(id)
      if (changed.size > 0 && !isReading) timer ??= setTimeout(read, gatherMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, board])
}

async function follow(client: QueryClient, { columns, paramsOf }: Board, ids: readonly string[]): Promise<void> {
  const all = () => client.invalidateQueries({ queryKey: ['feed'] })
  // Somebody here is moving cards: their own write sets the columns right when it is done.
  if (client.isMutating({ mutationKey: boardWrite }) > 0) return
  if (ids.length > many) return all()
  const tasks = await Promise.all(ids.map(whereabouts)).catch(() => null)
  // What is read from here on would be older than a move that was begun meanwhile, and would put its card back.
  if (client.isMutating({ mutationKey: boardWrite }) > 0) return
  if (!tasks) return all()
  const keyOf = (name: ColumnName) => feedQuery(name, paramsOf(name)).queryKey
  const held = columns.map(({ name }) => {
    const feed: Feed | undefined = client.getQueryData(keyOf(name))
    const isWhole = feed?.pages.at(-1)?.meta.next_cursor === null
    return { name, ids: new Set(cardsOf(feed).map(({ id }) => id)), isWhole }
  })
  const wanted = columnsToRead(tasks, held)
  if (wanted === 'all') return all()
  const readAgain = async (name: ColumnName) => {
    await client.refetchQueries({ queryKey: keyOf(name), exact: true })
    // What is here now has left the others, also those whose own read is still on its way.
    const here = new Set(tasks.flatMap(({ id, column }) => (column === name ? [id] : [])))
    for (const other of columns)
      if (other.name !== name)
        client.setQueryData(keyOf(other.name), (feed: Feed | undefined) => feed && withoutCards(feed, here))
  }
  await Promise.all([...wanted].map(readAgain))
}

async function whereabouts(id: string): Promise<Whereabouts> {
  try {
    const answer = await call('getTask', { params: { task_id: id } })
    const task = 'included' in answer ? answer.task : answer
    const isNew = task.updated_at === task.created_at
    return { id, column: task.deleted_at === null ? task.status : 'deleted', isNew }
  } catch (error) {
    if (hasCode(error, 'not_found')) return { id, column: null, isNew: false }
    throw error
  }
}
