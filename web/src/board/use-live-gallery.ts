// In charge of the gallery following what others do: what was read is read again once tasks have changed, the reads never
// closer together than they take.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenLive } from '../lib/live-connection.ts'
import { galleryKey } from './feed-query.ts'

const gatherMs = 500

export function useLiveGallery(): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let hasChanged = false
    let isOver = false
    const read = async () => {
      timer = undefined
      isReading = true
      hasChanged = false
      const began = performance.now()
      await client.invalidateQueries({ queryKey: galleryKey })
      isReading = false
      if (hasChanged && !isOver) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
    }
    const stop = listenLive((told) => {
      if (told === 'missed' || !told.some(({ kind }) => kind === 'task')) return
      hasChanged = true
      if (!isReading) timer ??= setTimeout(read, gatherMs)
    })
    return () => {
      isOver = true
      stop()
      clearTimeout(timer)
    }
  }, [client])
}
