// In charge of text that is typed and not yet sent, such as a comment: it is kept when its field disappears, and sent only once.

import { forgetDraft, keepDraft, keptDraft, keysOfDrafts } from '../lib/kept-drafts.ts'
import { createStore, useStore } from '../lib/store.ts'

export type KeptText = {
  text: string
  write: (text: string) => void
  /** The text that the user changes, as it is saved now; empty if the user writes a new one. */
  saved: string
  /** Whether `saved` was changed elsewhere since the user began to type, for example in another tab. */
  isOvertaken: boolean
  /** Treats what was typed as a change of what is saved now. */
  rebase: () => void
  /** Discards what was typed. */
  forget: () => void
  isSending: boolean
  /**
   * Sends the text with `post`, which returns whether it succeeded. Does nothing while an earlier call for the same key is under
   * way. Returns true if the text was sent and the field now holds nothing more; text that was typed meanwhile is kept.
   */
  send: (post: (text: string) => Promise<boolean>) => Promise<boolean>
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Counts the changes of texts, so that all fields with the same key show the same text. */
const changes = createStore(0)
/** The keys of the texts that are being sent. This is no state of a component, because a field may disappear and come back. */
const underWay = createStore<ReadonlySet<string>>(new Set())

export const keptText = (key: string): string | undefined => keptDraft(key, isText)?.typed
const baseOf = (key: string): string | undefined => keptDraft(key, isText)?.base

/** Keeps what is typed over the text `initial`, which has been `base` when the typing began. */
function keep(key: string, typed: string, initial: string, base = baseOf(key) ?? initial): void {
  if (typed === initial) forgetDraft(key)
  else keepDraft(key, { typed, base, left: false })
  changes.set(changes.get() + 1)
}

async function sendOnce(key: string, initial: string, post: (text: string) => Promise<boolean>): Promise<boolean> {
  if (underWay.get().has(key)) return false
  underWay.set(new Set(underWay.get()).add(key))
  try {
    const sent = keptText(key) ?? initial
    if (!(await post(sent))) return false
    const typed = keptText(key) ?? initial
    // What was typed meanwhile is a change of what was sent; or the next text, where each that is sent is a new one.
    keep(key, typed === sent ? initial : typed, initial, initial === '' ? initial : sent)
    return typed === sent
  } finally {
    underWay.set(new Set([...underWay.get()].filter((one) => one !== key)))
  }
}

/** `key`: the key under which the text is kept; `initial`: the text that the user changes, as it is saved now. */
export function useKeptText(key: string, initial = ''): KeptText {
  const text = useStore(changes, () => keptText(key) ?? initial)
  const begunOn = useStore(changes, () => baseOf(key) ?? initial)
  const isSending = useStore(underWay, (keys) => keys.has(key))
  const differ = (one: string, other: string) => one.trim() !== other.trim()
  const isOvertaken = !isSending && differ(text, initial) && differ(begunOn, initial)
  return {
    ...{ text, saved: initial, isOvertaken, isSending },
    write: (typed) => keep(key, typed, initial),
    rebase: () => keep(key, text, initial, initial),
    forget: () => keep(key, initial, initial),
    send: (post) => sendOnce(key, initial, post),
  }
}

/** Returns the ends of the keys that begin with `start` and under which text is kept. */
export function useKeptUnder(start: string): string[] {
  // One text, because a store compares the values of two renders by `Object.is`.
  const keys = useStore(changes, () => keysOfDrafts(start).join('\n'))
  return keys === '' ? [] : keys.split('\n').map((key) => key.slice(start.length))
}
