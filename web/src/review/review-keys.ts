// In charge of the keyboard shortcuts in a review: what each key does, and how the review panel describes it.
import type { Version } from './queries.ts'
import type { Reviewing } from './use-review.ts'

type ReviewKey = {
  key: string
  words: string
  act: (review: Reviewing, look: (version: Version) => void) => void
  /** Whether it opens a form in the review panel, so that the panel has to be shown: what is typed then would be keys otherwise. */
  writes?: true
}

const chosenOf = ({ threads, chosen }: Reviewing) => threads.find(({ id }) => id === chosen)

function lookBy(by: 1 | -1, { versions, version }: Reviewing, look: (version: Version) => void): void {
  // The newest version is the first in the list, so a later version has a lower index.
  const next = version && versions[versions.indexOf(version) - by]
  if (next) look(next)
}

/** The keys `c` and `b` are not in this list: they also work for pictures without a review, so the viewer handles them itself. */
export const reviewKeys: readonly ReviewKey[] = [
  { key: 'j', words: 'next comment', act: (review) => review.step(1) },
  { key: 'k', words: 'comment before', act: (review) => review.step(-1) },
  { key: 'n', words: 'answer it', act: (review) => review.answer.current?.focus(), writes: true },
  { key: 'e', words: 'edit it', act: (review) => review.editChosen(), writes: true },
  { key: 's', words: 'resolve it, or open it again', act: (review) => review.resolve(chosenOf(review)) },
  { key: 't', words: 'new take of it', act: (review) => review.askTake(review.chosen), writes: true },
  { key: 'u', words: 'use the proposed take', act: (review) => review.decideChosen('use') },
  { key: 'x', words: 'dismiss the take', act: (review) => review.decideChosen('dismiss') },
  { key: 'a', words: 'accept', act: (review) => review.accept() },
  { key: 'w', words: 'want changes', act: (review) => review.askChanges(), writes: true },
  { key: 'p', words: 'play a film or sound, or pause', act: (review) => review.play() },
  { key: 'm', words: 'sound off, or on', act: (review) => review.turnSound() },
  { key: '.', words: 'next frame of a film', act: (review) => review.stepFrame(1) },
  { key: ',', words: 'frame before', act: (review) => review.stepFrame(-1) },
  { key: ']', words: 'later version', act: (review, look) => lookBy(1, review, look) },
  { key: '[', words: 'earlier version', act: (review, look) => lookBy(-1, review, look) },
]

export const keyWords: readonly (readonly [string, string])[] = [
  ['c', 'comment'],
  ...reviewKeys.map(({ key, words }) => [key, words] as const),
  ['b', 'compare'],
  ['← →', 'pictures; in a film that has the focus, its time'],
  ['Shift ← → ↑ ↓', 'move the picture'],
  ['← → ↑ ↓ Enter', 'with Pin or Box: move the crosshair (Shift: farther), set it'],
  ['+ − 0 1', 'nearer, farther, whole, pixels'],
  ['r i', 'review, facts'],
  ['Esc', 'close'],
]
