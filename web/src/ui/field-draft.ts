// In charge of the text in a field of a form that is saved by a button while other people may change the same value. Pure.

/** `text`: the text in the field. `begunOn`: the value on which the text is based. `saved`: the newest saved value. */
export type FieldDraft = { text: string; begunOn: string; saved: string }

export const draftOf = (saved: string): FieldDraft => ({ text: saved, begunOn: saved, saved })

/** Another value was saved, here or by somebody else: the field shows it, unless the user has typed something else. */
export const followed = (draft: FieldDraft, saved: string): FieldDraft =>
  draft.text === draft.begunOn ? draftOf(saved) : { ...draft, saved }

/** The user wants the typed text although somebody else has saved another one. */
export const rebased = (draft: FieldDraft): FieldDraft => ({ ...draft, begunOn: draft.saved })

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
