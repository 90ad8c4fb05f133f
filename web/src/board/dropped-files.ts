// In charge of the files that were dropped on cards, until the script that uploads them takes them.
import type { ComponentType } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'
import { uniqueName } from '../lib/unique.ts'

export type Dropped = { key: string; card: Pick<Card, 'id' | 'name'>; files: File[] }

const waiting = createStore<readonly Dropped[]>([])
export const useDropped = (): readonly Dropped[] => useStore(waiting, (all) => all)
export const leaveDropped = (): void => waiting.set([])

export const dropFiles = ({ id, name }: Card, files: File[]): void =>
  waiting.set([...waiting.get(), { key: uniqueName(), card: { id, name }, files }])

/** Whether the caller is the one to upload these files, which then wait no longer. */
export function takeDropped({ key }: Dropped): boolean {
  const left = waiting.get().filter((one) => one.key !== key)
  if (left.length === waiting.get().length) return false
  waiting.set(left)
  return true
}

type Uploads = ComponentType<{ dropped: readonly Dropped[] }>
let load = (): Promise<Uploads> => Promise.reject(new Error('Nobody said what uploads files.'))

/** Says how the script is loaded that uploads the files. It is a part of tasks, which the board does not know. */
export const uploadDroppedBy = (loading: () => Promise<Uploads>): void => {
  load = loading
}
export const loadUploads = (): Promise<Uploads> => load()
