// In charge of keeping what a user has entered at a question until it is answered: a text, a note, or the picked options.
import { useEffect, useState } from 'react'
import { forgetAllBut, forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { isTextList } from '../lib/storage.ts'
import type { Question } from './questions.ts'

type Place = Pick<Question, 'node' | 'item'>

const draftsOf = (runId: string): string => `${runId} gate `

/** The key under which what is entered at a question is kept. */
export const draftKey = (runId: string, { node, item }: Place): string => `${draftsOf(runId)}${node}/${item ?? ''}`

/** Forgets what was entered at questions of a run that are not open any more. */
export const forgetClosed = (runId: string, open: readonly Place[]): void =>
  forgetAllBut(
    draftsOf(runId),
    open.map((place) => draftKey(runId, place)),
  )

/** Picks as they are kept: each with its option as JSON text, because the option may be made anew while the question is closed. */
export const keptForm = (picked: readonly number[], options: readonly string[]): string[] =>
  picked.map((index) => `${index} ${options[index] ?? ''}`)

/** Returns the kept picks whose options are still the same. */
export const picksIn = (kept: readonly string[], options: readonly string[]): number[] =>
  [...options.keys()].filter((index) => keptForm([index], options).every((pick) => kept.includes(pick)))

/**
 * The picks that stay when the options `before` have become `options`: those of options that are the same at the same place. Of the
 * others, the user has not seen what they are now, or they are gone.
 */
export const picksAfter = (
  picked: readonly number[],
  before: readonly string[],
  options: readonly string[],
): number[] => picksIn(keptForm(picked, before), options)

/** The picked options of a question; `options` are the options as JSON texts. If `key` is null, the picks are not kept. */
export function usePicks(key: string | null, options: readonly string[]) {
  const [picked, setPicked] = useState<readonly number[]>(() =>
    key === null ? [] : picksIn(keptDraft(key, isTextList)?.typed ?? [], options),
  )
  useEffect(() => {
    if (key === null) return
    if (picked.length === 0) forgetDraft(key)
    else keepDraft(key, { typed: keptForm(picked, options), base: [], left: false })
  }, [key, picked, options])
  return [picked, setPicked] as const
}
