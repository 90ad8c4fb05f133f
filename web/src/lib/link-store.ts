// In charge of addresses of many pictures: asked for together as they come into sight, each kept until shortly before it ends.
import type { FileLink } from '@atelier/contract/files.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { call } from './api.ts'

/** As many as one request takes. */
const batch = 500
const marginMs = 120_000

const links = new Map<string, FileLink>()
const listeners = new Map<string, Set<() => void>>()
const wanted = new Set<string>()
let isAsking = false

/** The address of a file, or undefined until it is there. Only what is on the screen asks. */
export function useFileLink(digest: string): string | undefined {
  const subscribe = useCallback((listener: () => void) => listen(digest, listener), [digest])
  return useSyncExternalStore(subscribe, () => links.get(digest)?.url)
}

function listen(digest: string, listener: () => void): () => void {
  const ones = listeners.get(digest) ?? new Set()
  listeners.set(digest, ones.add(listener))
  const link = links.get(digest)
  if (!link || Date.parse(link.expires_at) - Date.now() < marginMs) want(digest)
  return () => {
    ones.delete(listener)
    if (ones.size === 0) listeners.delete(digest)
  }
}

function want(digest: string): void {
  wanted.add(digest)
  if (isAsking) return
  isAsking = true
  // By the end of this turn everything that came into sight has said so.
  queueMicrotask(() => void askAll())
}

async function askAll(): Promise<void> {
  while (wanted.size > 0) {
    const digests = [...wanted].slice(0, batch)
    for (const digest of digests) wanted.delete(digest)
    // Without an address a picture shows its name; it asks again when it comes into sight again.
    const found = await call('createFileLinks', { body: { digests } }).catch(() => [])
    for (const link of found) links.set(link.digest, link)
    for (const { digest } of found) for (const listener of listeners.get(digest) ?? []) listener()
  }
  isAsking = false
}
