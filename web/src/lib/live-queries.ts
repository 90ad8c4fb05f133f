// In charge of reading again what is shown when it changed elsewhere: changes are gathered for a moment, each thing is
// read once for all of them, and reading never takes more than half of the time.
import type { Change } from '@atelier/contract/events.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isWatched } from './live.ts'
import { listenLive } from './live-connection.ts'
import { holdsOneOf, keysOf, mayHaveChanged } from './live-keys.ts'

const gatherMs = 200

export function keepQueriesLive(client: QueryClient): () => void {
  let pending: Change[] = []
  let isMissed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  const read = async () => {
    timer = undefined
    isReading = true
    const [changes, wasMissed] = [pending, isMissed]
    pending = []
    isMissed = false
    const began = performance.now()
    await (wasMissed ? readAll(client) : readChanged(client, changes))
    isReading = false
    if (pending.length > 0 || isMissed) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
  }
  const stop = listenLive((told) => {
    if (told === 'missed') isMissed = true
    else pending.push(...told)
    if (!isReading) timer ??= setTimeout(read, gatherMs)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

const readAll = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => mayHaveChanged(queryKey) && !isWatched(queryKey) })

async function readChanged(client: QueryClient, changes: readonly Change[]): Promise<void> {
  const keys = new Map(changes.flatMap(keysOf).map((key) => [JSON.stringify(key), key]))
  const comments = new Set(changes.flatMap(({ kind, id }) => (kind === 'comment' ? [id] : [])))
  await Promise.all([
    ...[...keys.values()].filter((key) => !isWatched(key)).map((queryKey) => client.invalidateQueries({ queryKey })),
    client.invalidateQueries({
      predicate: ({ queryKey, state }) => queryKey[0] === 'comments' && holdsOneOf(state.data, comments),
    }),
    // A board that is open reads the columns it has to; one that is opened later reads all of them.
    ...(changes.some(({ kind }) => kind === 'task')
      ? [client.invalidateQueries({ queryKey: ['feed'], refetchType: 'none' })]
      : []),
  ])
}
