// In charge of words that are not saved yet outliving the field they stand in: a task that is closed, a page that is loaded
// again. A tab that is about to be closed asks first.
import type { Draft } from './draft.ts'

/** `left`: the writer has left the field, which means to save it. */
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
    // Where storage is refused or full, drafts last as long as the page.
  }
}

export function keepDraft<T>(key: string, draft: KeptDraft<T>): void {
  all().set(key, draft)
  write()
}

export function forgetDraft(key: string): void {
  if (all().delete(key)) write()
}

/** What was kept under a key, where it is of the kind that the field has now. */
export function keptDraft<T>(key: string, isValue: (value: unknown) => value is T): KeptDraft<T> | null {
  const kept = all().get(key)
  if (typeof kept !== 'object' || kept === null || !('typed' in kept) || !('base' in kept)) return null
  const { typed, base } = kept
  const left = 'left' in kept && kept.left === true
  return isValue(typed) && isValue(base) ? { typed, base, left } : null
}
