// In charge of noticing that the graph on this page was saved elsewhere, even while nobody edits the graph on this page.
import { useEffect, useRef, useState } from 'react'
import { callTagged } from '../lib/api.ts'
import { listenLive } from '../lib/live-connection.ts'

type Saving = { etag: () => string | null; settled: () => Promise<void> }

/** The wait before a second look, because the first look may find a save by this page before the page knows the new revision. */
const pauseMs = 400

export function useOthersSave(graph_id: string, saving: Saving): boolean {
  const [other, setOther] = useState<string | null>(null)
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
    }
    const stop = listenLive((told) => {
      const isOurs = told === 'missed' || told.some(({ kind, id }) => kind === 'graph' && id === graph_id)
      // If the service cannot be reached, the graph is read again at the next reported change.
      if (isOurs) look().catch(() => undefined)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [graph_id])
  // False if this page has continued with the other version in the meantime.
  return other !== null && other !== saving.etag()
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/** The revision of the stored graph if it was saved elsewhere; null if it is the revision that this page read or saved last. */
async function othersRevision(graph_id: string, { etag, settled }: Saving): Promise<string | null> {
  await settled()
  for (;;) {
    const before = etag()
    const read = await callTagged('getGraph', { params: { graph_id } })
    await settled()
    // If this page has saved something during the read, the result is out of date, and the graph is read again.
    if (etag() === before) return read.etag === before ? null : read.etag
  }
}
