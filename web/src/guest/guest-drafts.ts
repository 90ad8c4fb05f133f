// In charge of the keys under which guests' unsent texts are kept, and of bringing texts that version 0.3.0 kept under them.
import { rekeyDrafts } from '../lib/kept-drafts.ts'
import type { Entered } from './guest-api.ts'

/**
 * The start of the keys under which this guest's unsent texts are kept. Another guest in the same tab has another start. A guest who
 * enters again under the same name counts as the same one, as for decisions, and finds the texts.
 */
export const draftsOf = (secret: string, { name }: Pick<Entered, 'name'>): string =>
  `guest ${secret} ${name.toLowerCase()}`

type Kind = 'comment' | 'answer' | 'reason'

/** `drafts`: the start of the guest's keys; `id`: of the creative for a comment or a reason, or of the thread for an answer. */
export const draftKey = (drafts: string, id: string, kind: Kind): string => `${drafts} ${id} ${kind}`

/** Whether a text belongs to the guest with these drafts. One guest's name may be the beginning of another's. */
export const isDraftOf = (drafts: string, key: string): boolean =>
  key.startsWith(`${drafts} `) && /^\S+ (comment|answer|reason)$/.test(key.slice(drafts.length + 1))

/** Version 0.3.0 kept the texts of all guests of a tab under such keys. */
const formerKey = /^(\S+) guest (comment|answer)$/

/**
 * The key for what is kept under `key`; null if it has to be dropped. A text of version 0.3.0 does not say whose it is: only where
 * nobody has entered by another link (`isOnlyLink`) is it surely not one of another link's guest.
 */
export function presentKey(key: string, drafts: string, isOnlyLink: boolean): string | null {
  const [, id, kind] = formerKey.exec(key) ?? []
  if (id === undefined || (kind !== 'comment' && kind !== 'answer')) return key
  return isOnlyLink ? draftKey(drafts, id, kind) : null
}

/** Brings the texts that version 0.3.0 kept in this tab under the keys of the guest with these drafts, or drops them. */
export const takeFormerTexts = (drafts: string, isOnlyLink: boolean): void =>
  rekeyDrafts((key) => presentKey(key, drafts, isOnlyLink))
