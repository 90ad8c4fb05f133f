// In charge of keeping unsaved text when its field disappears because the user closes the task or reloads the page. If there is
// unsaved text, the browser asks for confirmation before it closes or reloads the page.
import { pageUserId } from './session.ts'

/**
 * `base`: the saved value on which the text was begun. `left`: whether the user had left the field, which means that the text was
 * meant to be saved.
 */
export type KeptDraft<T> = { typed: T; base: T; left: boolean }

/** Each person has drafts of their own: another person who signs in in the same tab must not save them, not even by accident. */
const storageKey = () => `atelier.drafts ${pageUserId() ?? 'guest'}`
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
    const read: unknown = JSON.parse(sessionStorage.getItem(storageKey()) ?? '{}')
    return new Map(typeof read === 'object' && read !== null ? Object.entries(read) : [])
  } catch {
    return new Map()
  }
}

function write(): void {
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(all())))
  } catch {
    // If the browser's storage is full or not allowed, drafts are kept only until the page is closed or reloaded.
  }
}

export function keepDraft<T>(key: string, draft: KeptDraft<T>): void {
  all().set(key, draft)
  write()
}

export function forgetDraft(key: string): void {
  if (all().delete(key)) write()
}

/** Forgets the drafts whose keys begin with `start`, except those under the keys `present`: what the others belong to is gone. */
export function forgetAllBut(start: string, present: readonly string[]): void {
  const gone = [...all().keys()].filter((key) => key.startsWith(start) && !present.includes(key))
  for (const key of gone) forgetDraft(key)
}

/** Returns the draft that is kept under a key; null if there is none, or if the field now has values of another type. */
export function keptDraft<T>(key: string, isValue: (value: unknown) => value is T): KeptDraft<T> | null {
  const kept = all().get(key)
  if (typeof kept !== 'object' || kept === null || !('typed' in kept) || !('base' in kept)) return null
  const { typed, base } = kept
  const left = 'left' in kept && kept.left === true
  return isValue(typed) && isValue(base) ? { typed, base, left } : null
}
