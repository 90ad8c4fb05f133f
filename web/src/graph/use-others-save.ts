// In charge of noticing that somebody else has saved the open graph, even while nobody edits it here.
import { useEffect, useRef, useState } from 'react'
import { callTagged } from '../lib/api.ts'
import { listenLive } from '../lib/live-connection.ts'

type Saving = { etag: () => string | null; settled: () => Promise<void> }

/** A short wait in which a save by this page itself is recorded, so that it is not taken for somebody else's. */
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
      // If the service cannot be reached, the next reported change asks again.
      if (isOurs) look().catch(() => undefined)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [graph_id])
  // This page may have taken the other version over in the meantime.
  return other !== null && other !== saving.etag()
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/** The stored graph if its revision differs from the one that was last saved here; else null. */
async function othersRevision(graph_id: string, { etag, settled }: Saving): Promise<string | null> {
  await settled()
  for (;;) {
    const before = etag()
    const read = await callTagged('getGraph', { params: { graph_id } })
    await settled()
    // Something was saved here during the read, so its result is out of date.
    if (etag() === before) return read.etag === before ? null : read.etag
  }
}
