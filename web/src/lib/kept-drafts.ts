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
/** Version 0.2.0 kept the drafts of everybody who used the tab under this key. */
const formerKey = 'atelier.drafts'
let drafts: Map<string, unknown> | null = null
/** Whether the browser asks before it closes the page while there is a draft with this key. */
let isAskedAbout = (_key: string): boolean => true

function all(): Map<string, unknown> {
  drafts ??= readAll()
  return drafts
}

function readAll(): Map<string, unknown> {
  addEventListener('beforeunload', (event) => {
    if ([...all().keys()].some((key) => isAskedAbout(key))) event.preventDefault()
  })
  try {
    takeFormer()
    return new Map(entriesOf(sessionStorage.getItem(storageKey())))
  } catch {
    return new Map()
  }
}

function entriesOf(stored: string | null): [string, unknown][] {
  const read: unknown = JSON.parse(stored ?? '{}')
  return typeof read === 'object' && read !== null ? Object.entries(read) : []
}

/**
 * Gives the drafts of version 0.2.0 to the first person who uses the tab afterwards, unless they have drafts already. The drafts may
 * be somebody else's, if another person has signed in in the tab meanwhile. So they count as not left: the fields show them as not
 * saved, and none is saved before the person has been in its field.
 */
function takeFormer(): void {
  const former = sessionStorage.getItem(formerKey)
  // In version 0.2.0, only fields of tasks had drafts, and guests have no such fields.
  if (former === null || pageUserId() === null) return
  sessionStorage.removeItem(formerKey)
  if (sessionStorage.getItem(storageKey()) !== null) return
  const taken = entriesOf(former).map(([key, draft]) => [
    key,
    typeof draft === 'object' ? { ...draft, left: false } : draft,
  ])
  sessionStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(taken)))
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

/** Makes the browser ask only about drafts with keys for which `isShown` is true. The returned function ends that. */
export function askAboutDrafts(isShown: (key: string) => boolean): () => void {
  isAskedAbout = isShown
  return () => {
    isAskedAbout = () => true
  }
}

/**
 * Brings each draft under the key that `presentKey` returns for its key, unless there is one already; drops the draft if it returns
 * null.
 */
export function rekeyDrafts(presentKey: (key: string) => string | null): void {
  let isChanged = false
  for (const [key, draft] of [...all()]) {
    const next = presentKey(key)
    if (next === key) continue
    isChanged = true
    all().delete(key)
    if (next !== null && !all().has(next)) all().set(next, draft)
  }
  if (isChanged) write()
}

/** Returns the keys that begin with `start` and under which a draft is kept. */
export const keysOfDrafts = (start: string): string[] => [...all().keys()].filter((key) => key.startsWith(start))

/** Returns the draft that is kept under a key; null if there is none, or if the field now has values of another type. */
export function keptDraft<T>(key: string, isValue: (value: unknown) => value is T): KeptDraft<T> | null {
  const kept = all().get(key)
  if (typeof kept !== 'object' || kept === null || !('typed' in kept) || !('base' in kept)) return null
  const { typed, base } = kept
  const left = 'left' in kept && kept.left === true
  return isValue(typed) && isValue(base) ? { typed, base, left } : null
}
