// In charge of keeping unsaved text when its field is removed: because the task was closed, or the page was loaded again.
// Before a tab with unsaved text is closed, the browser asks.
import type { Draft } from './draft.ts'

/** `left`: the user had left the field, so the text was meant to be saved. */
export type KeptDraft<T> = Draft<T> & { left: boolean }

const storageKey = 'atelier.drafts'
let drafts: Map<string, unknown> | null = null

function all(): Map<string, unknown> {
  drafts ??= readAll()
  return drafts
}

function readAll(): Map<string, unknown> {
  addEventListener('beforeunload', (event) => {
    if (all().size > 0) event.preventDefault()
  })
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return new Map(typeof read === 'object' && read !== null ? Object.entries(read) : [])
  } catch {
    return new Map()
  }
}

function write(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(all())))
  } catch {
    // If storage is refused or full, drafts last as long as the page.
  }
}

export function keepDraft<T>(key: string, draft: KeptDraft<T>): void {
  all().set(key, draft)
  write()
}

export function forgetDraft(key: string): void {
  if (all().delete(key)) write()
}

/** The kept text of a key, if its type is still the type of the field. */
export function keptDraft<T>(key: string, isValue: (value: unknown) => value is T): KeptDraft<T> | null {
  const kept = all().get(key)
  if (typeof kept !== 'object' || kept === null || !('typed' in kept) || !('base' in kept)) return null
  const { typed, base } = kept
  const left = 'left' in kept && kept.left === true
  return isValue(typed) && isValue(base) ? { typed, base, left } : null
}
