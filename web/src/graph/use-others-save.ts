// In charge of detecting that somebody else, or another tab, has saved or deleted the graph that is open on this page.
import { useEffect, useRef, useState } from 'react'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { listenLive } from '../lib/live-connection.ts'

type Saving = { etag: () => string | null; settled: () => Promise<void> }

/**
 * If an unknown revision is found, the graph is read again after this many milliseconds, because the revision may come from a save
 * by this page whose response has not arrived yet.
 */
const pauseMs = 400

/**
 * The stored revision of the graph, and since when it is deleted; null if it is not. `isPurged`: it is deleted for good, so that there
 * is no revision any more.
 */
export type Stored = { revision: string; deletedAt: string | null; isPurged: boolean }
const purged: Stored = { revision: '', deletedAt: null, isPurged: true }

/** What is stored of the graph if it was saved or deleted elsewhere and this page does not show that; else null. */
export function useOthersSave(graph_id: string, saving: Saving): Stored | null {
  const [other, setOther] = useState<Stored | null>(null)
  const latest = useRef(saving)
  latest.current = saving
  useEffect(() => {
    let isOver = false
    const look = async () => {
      let found = await othersRevision(graph_id, latest.current)
      if (found !== null) {
        await pause()
        found = await othersRevision(graph_id, latest.current)
      }
      if (!isOver) setOther(found)
      // Nobody can bring it back, so nothing is asked any more.
      if (found === purged) stop()
    }
    const stop = listenLive((told) => {
      const isOurs = told === 'missed' || told.some(({ kind, id }) => kind === 'graph' && id === graph_id)
      // A failed read is ignored: at the next reported change of the graph, it is read again.
      if (isOurs) look().catch(() => undefined)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [graph_id])
  // Also null if this page has taken over the other version meanwhile: the page's own revision is then the same as `other`.
  return other?.revision === saving.etag() ? null : other
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/** The stored revision of the graph if this page does not know it; null if this page itself has read or saved it last. */
async function othersRevision(graph_id: string, { etag, settled }: Saving): Promise<Stored | null> {
  await settled()
  for (;;) {
    const before = etag()
    const read = await readGraph(graph_id)
    if (read === null) return purged
    await settled()
    // If this page has saved the graph during the read, the revision that was read may be outdated, and is read again.
    if (etag() !== before) continue
    if (read.etag === null || read.etag === before) return null
    return { revision: read.etag, deletedAt: read.data.deleted_at, isPurged: false }
  }
}

/** Null if there is no such graph any more. */
const readGraph = (graph_id: string) =>
  callTagged('getGraph', { params: { graph_id } }).catch((error: unknown) => {
    if (hasCode(error, 'not_found')) return null
    throw error
  })
