// In charge of reading the data of a page again when other users have changed it. Changes are collected for `gatherMs`, so that
// each query is read once for all of them. After a read that took longer, the next read waits as long as that read took.
import type { Change } from '@atelier/contract/wire/events.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { isWatched, watchedNow } from './live.ts'
import { listenLive } from './live-connection.ts'
import { holdsOneOf, isOfOneOf, keysOf, mayHaveChanged } from './live-keys.ts'

const gatherMs = 200

export function keepQueriesLive(client: QueryClient): () => void {
  let pending: Change[] = []
  /** The outdated query keys, without those of records that `useLive` was keeping up to date when the change was reported. */
  let keys = new Map<string, QueryKey>()
  /**
   * Null if no changes were missed. Otherwise all queries are read again, except those for which this function returns true:
   * `useLive` was keeping their data up to date.
   */
  let missed: ((key: QueryKey) => boolean) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  const read = async () => {
    timer = undefined
    isReading = true
    const told = { pending, keys, missed }
    pending = []
    keys = new Map()
    missed = null
    const began = performance.now()
    try {
      await (told.missed ? readAll(client, told.missed) : readChanged(client, told.pending, [...told.keys.values()]))
    } finally {
      isReading = false
      if (pending.length > 0 || missed) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
    }
  }
  const stop = listenLive((told) => {
    if (told === 'missed') {
      const [before, now] = [missed, watchedNow()]
      missed = before ? (key) => before(key) && now(key) : now
    } else {
      pending.push(...told)
      for (const key of told.flatMap(keysOf)) if (!isWatched(key)) keys.set(JSON.stringify(key), key)
    }
    if (!isReading) timer ??= setTimeout(read, gatherMs)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

const readAll = (client: QueryClient, wasWatched: (key: QueryKey) => boolean): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => mayHaveChanged(queryKey) && !wasWatched(queryKey) })

async function readChanged(client: QueryClient, changes: readonly Change[], keys: readonly QueryKey[]): Promise<void> {
  const idsOf = (wanted: Change['kind']) => new Set(changes.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])))
  const [comments, tasks] = [idsOf('comment'), idsOf('task')]
  await Promise.all([
    ...keys.map((queryKey) => client.invalidateQueries({ queryKey })),
    client.invalidateQueries({
      predicate: ({ queryKey, state }) => queryKey[0] === 'comments' && holdsOneOf(state.data, comments),
    }),
    client.invalidateQueries({
      predicate: ({ queryKey, state }) => queryKey[0] === 'creative' && isOfOneOf(state.data, tasks),
    }),
    // Marks the board's columns as outdated without reading them: an open board reads changed cards itself, and a board that is
    // opened later reads all its columns.
    ...(tasks.size > 0 ? [client.invalidateQueries({ queryKey: ['feed'], refetchType: 'none' })] : []),
  ])
}
