// In charge of the text in a field of a form that is saved by a button while other people may change the same value. It may be empty,
// unlike a name (`name-draft.ts`). Pure.
import { draftOf, type NameDraft } from './name-draft.ts'

export { draftOf, followed, rebased } from './name-draft.ts'
export type FieldDraft = NameDraft

/** Whether the user has entered another text than the one that the field began with. Only then it is sent. */
export const isEntered = ({ text, begunOn }: FieldDraft): boolean => text.trim() !== begunOn

/**
 * Whether somebody else has saved another text since the user began to type, so that to save what was typed would replace theirs.
 * `sent`: the text that is being saved, which may appear as the saved one before the answer to it does.
 */
export const isOvertaken = (draft: FieldDraft, sent: string | null): boolean =>
  isEntered(draft) && draft.saved !== draft.begunOn && draft.saved !== draft.text.trim() && draft.saved !== sent

/** The user has saved the text of the draft `sent` as `saved`. What they have typed since then stays, and is based on that. */
export const sentAs = (now: FieldDraft, sent: FieldDraft, saved: string): FieldDraft =>
  now.text === sent.text ? draftOf(saved) : { ...now, begunOn: saved, saved }
