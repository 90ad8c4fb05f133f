// In charge of the mark and the time of an unsent comment: they are kept for as long as its text is, and come back with it.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { useEffect, useRef } from 'react'
import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { markKey } from './draft-keys.ts'
import type { Reviewing } from './use-review.ts'

/** `digest`: the file on which the mark was drawn. It is brought back only there: another version may show something else. */
type KeptMark = { mark: Mark | null; at: number | null; digest: string }

/** What is kept was written by this page, so its kind tells enough. A draft has a saved value too: of a new mark, there is none. */
const isKeptMark = (value: unknown): value is KeptMark | null =>
  value === null || (typeof value === 'object' && 'mark' in value && 'at' in value && 'digest' in value)

type Review = Pick<Reviewing, 'id' | 'digest' | 'mark' | 'at' | 'setMark' | 'setAt'>

/** Forgets the mark and the time of a comment that was sent, unless others are kept by now. The viewer may be closed already. */
export function forgetSentMark(creativeId: string, mark: Mark | null, at: number | null): void {
  const kept = keptDraft(markKey(creativeId), isKeptMark)?.typed
  if (kept && kept.mark === mark && kept.at === at) forgetDraft(markKey(creativeId))
}

/** `hasText`: whether the comment has text. A mark without words is not kept. */
export function useKeptMark({ id, digest, mark, at, setMark, setAt }: Review, hasText: boolean): void {
  /** The file that was shown last: the mark is brought back when another one is. */
  const seen = useRef<string | null>(null)
  useEffect(() => {
    const key = markKey(id)
    const isOpened = seen.current !== digest
    seen.current = digest
    const hasMark = mark !== null || at !== null
    if (!hasText) return forgetDraft(key)
    if (hasMark) return keepDraft<KeptMark | null>(key, { typed: { mark, at, digest }, base: null, left: false })
    if (!isOpened) return forgetDraft(key)
    const kept = keptDraft(key, isKeptMark)?.typed
    if (kept?.digest !== digest) return
    setMark(kept.mark)
    setAt(kept.at)
  }, [id, digest, mark, at, hasText, setMark, setAt])
}
