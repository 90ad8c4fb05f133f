// In charge of text that is typed and not yet sent, such as a comment: it is kept when its field disappears, and sent only once.

import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { createStore, useStore } from '../lib/store.ts'

export type KeptText = {
  text: string
  write: (text: string) => void
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

function keep(key: string, typed: string, initial: string): void {
  if (typed === initial) forgetDraft(key)
  else keepDraft(key, { typed, base: initial, left: false })
  changes.set(changes.get() + 1)
}

async function sendOnce(key: string, initial: string, post: (text: string) => Promise<boolean>): Promise<boolean> {
  if (underWay.get().has(key)) return false
  underWay.set(new Set(underWay.get()).add(key))
  try {
    const sent = keptText(key) ?? initial
    if (!(await post(sent)) || (keptText(key) ?? initial) !== sent) return false
    keep(key, initial, initial)
    return true
  } finally {
    underWay.set(new Set([...underWay.get()].filter((one) => one !== key)))
  }
}

/** `key`: the key under which the text is kept; `initial`: what the field contains before the user has typed anything. */
export function useKeptText(key: string, initial = ''): KeptText {
  const text = useStore(changes, () => keptText(key) ?? initial)
  const isSending = useStore(underWay, (keys) => keys.has(key))
  return {
    ...{ text, isSending },
    write: (typed) => keep(key, typed, initial),
    forget: () => keep(key, initial, initial),
    send: (post) => sendOnce(key, initial, post),
  }
}
