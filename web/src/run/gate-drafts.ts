// In charge of keeping what a user has entered at a question until it is answered: a text, a note, or the picked options.
import { useEffect, useState } from 'react'
import { forgetDraft, keepDraft, keptDraft, keysOfDrafts } from '../lib/kept-drafts.ts'
import { isTextList } from '../lib/storage.ts'
import type { Question } from './questions.ts'

type Place = Pick<Question, 'node' | 'item'>

const draftsOf = (runId: string): string => `${runId} gate `

/** The key under which what is entered at a question is kept. */
export const draftKey = (runId: string, { node, item }: Place): string => `${draftsOf(runId)}${node}/${item ?? ''}`

/** The drafts whose answers are being sent: their questions close before the page hears that the answers were taken. */
const sending = new Set<string>()

/** Sends what was entered at a question, and forgets it once it was taken. `send` resolves to whether it was. */
export async function sendDraft(key: string, send: () => Promise<boolean>): Promise<void> {
  sending.add(key)
  try {
    if (await send()) forgetDraft(key)
  } finally {
    sending.delete(key)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const textUnder = (key: string): string => keptDraft(key, isText)?.typed.trim() ?? ''
/** Whether a text that was typed at a question is kept under this key. */
export const hasKeptText = (key: string): boolean => textUnder(key) !== ''

const closedDrafts = (runId: string, open: readonly Place[]): string[] => {
  const present = new Set(open.map((place) => draftKey(runId, place)))
  return keysOfDrafts(draftsOf(runId)).filter((key) => !present.has(key))
}

/** Forgets what was picked at questions of a run that are not open any more. Texts stay until the user discards them. */
export function forgetClosed(runId: string, open: readonly Place[]): void {
  for (const key of closedDrafts(runId, open)) if (!hasKeptText(key)) forgetDraft(key)
}

/**
 * A text that was typed at a question of the gate `node` and not sent before the question was closed. `place`: the node, or node/item,
 * as the answers of a run name it.
 */
export type UnsentText = { key: string; place: string; node: string; text: string }

export const unsentTexts = (runId: string, open: readonly Place[]): UnsentText[] =>
  closedDrafts(runId, open)
    .filter((key) => !sending.has(key) && hasKeptText(key))
    .map((key) => {
      const place = key.slice(draftsOf(runId).length).replace(/\/$/, '')
      return { key, place, node: key.slice(draftsOf(runId).length, key.lastIndexOf('/')), text: textUnder(key) }
    })

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
