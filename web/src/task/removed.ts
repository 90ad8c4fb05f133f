// In charge of text that a user was typing into a record, such as a variant, when somebody else removed the record: into which record
// and field it was typed, and which entry of the task's history tells the removal. Pure.
import type { Activity } from '../lib/types.ts'

/** `key`: the key under which the draft is kept. `did`: what was done to the record, without who did it. */
export type RemovedText = { key: string; did: string; isRemoval: (entry: Entry) => boolean }
type Entry = Pick<Activity, 'kind' | 'subject_id' | 'changes'>

/** The beginning of the keys of the drafts of all variants of a task; the rest is the number of the variant, and the member. */
export const variantDrafts = (taskId: string): string => `${taskId} variant `
/** The beginning of the keys of the drafts of all creatives of a task; the rest is the id of the creative, and the member. */
export const creativeDrafts = (taskId: string): string => `${taskId} creative `
/** The beginning of the keys of the changed texts of a task's comments; the rest is the id of the comment. */
export const commentDrafts = (taskId: string): string => `${taskId} text of comment `

const columns: Readonly<Record<string, string>> = {
  key: 'key',
  messaging_angle: 'angle',
  hook_type: 'hook',
  ad_format: 'format',
  audience: 'audience',
}

/** Of the drafts under `keys`, those of variants that the task has no longer. */
export function textsOfVariants(
  taskId: string,
  keys: readonly string[],
  variants: readonly { variation_num: number }[],
): RemovedText[] {
  const present = new Set(variants.map(({ variation_num }) => variation_num))
  return keys.flatMap((key) => {
    const [number = '', member = ''] = key.slice(variantDrafts(taskId).length).split(' ')
    if (present.has(Number(number))) return []
    const did = `removed the variant V${number} while you were changing its ${columns[member] ?? member}.`
    return [{ key, did, isRemoval: (entry) => removesVariant(entry, Number(number)) }]
  })
}

/** Of the drafts under `keys`, those of creatives that the task has no longer. `nameOf`: the name on which a draft was begun. */
export function textsOfCreatives(
  taskId: string,
  keys: readonly string[],
  creatives: readonly { id: string }[],
  nameOf: (key: string) => string,
): RemovedText[] {
  return keys.flatMap((key) => {
    const [id = ''] = key.slice(creativeDrafts(taskId).length).split(' ')
    if (creatives.some((creative) => creative.id === id)) return []
    const did = `deleted the creative “${nameOf(key)}” while you were changing its name.`
    return [{ key, did, isRemoval: ({ kind, subject_id }) => kind === 'creative_deleted' && subject_id === id }]
  })
}

/** Of the changed texts under `keys`, those of comments that the task has no longer. */
export function textsOfComments(
  taskId: string,
  keys: readonly string[],
  comments: readonly { id: string }[],
): RemovedText[] {
  return keys.flatMap((key) => {
    const id = key.slice(commentDrafts(taskId).length)
    if (comments.some((comment) => comment.id === id)) return []
    const did = 'deleted the comment that you were changing.'
    return [{ key, did, isRemoval: ({ kind, subject_id }) => kind === 'comment_deleted' && subject_id === id }]
  })
}

/** Whether an entry tells that this variant was removed. Of very many changed variants, the history has only the keys. */
function removesVariant({ changes }: Entry, number: number): boolean {
  const { variants } = changes
  if (typeof variants !== 'object' || variants === null || !('from' in variants) || !('to' in variants)) return false
  return hasVariant(variants.from, number) && !hasVariant(variants.to, number)
}

const hasVariant = (list: unknown, number: number): boolean =>
  Array.isArray(list) &&
  list.some(
    (one: unknown) => typeof one === 'object' && one !== null && 'variation_num' in one && one.variation_num === number,
  )
