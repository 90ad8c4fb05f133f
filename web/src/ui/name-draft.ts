// In charge of the text in a field for a name that other people may change meanwhile. Pure.

/** `text`: the text in the field. `begunOn`: the name on which the text is based. `saved`: the newest saved name. */
export type NameDraft = { text: string; begunOn: string; saved: string }

export const draftOf = (name: string): NameDraft => ({ text: name, begunOn: name, saved: name })

/** Another name was saved, here or by somebody else: the field shows it, unless the user has typed something else. */
export const followed = (draft: NameDraft, saved: string): NameDraft =>
  draft.text === draft.begunOn ? draftOf(saved) : { ...draft, saved }

/** The user has saved `name`. What they have typed since then stays, and is based on that name. */
export const settled = (draft: NameDraft, name: string): NameDraft =>
  draft.text.trim() === name ? draftOf(name) : { ...draft, begunOn: name, saved: name }

/** Returns the name that is to be saved when the user leaves the field; null if they have not changed it, or have emptied the field. */
export function changedName({ text, begunOn, saved }: NameDraft): string | null {
  const name = text.trim()
  return name === '' || name === begunOn || name === saved ? null : name
}

/**
 * Whether somebody else has saved another name since the user began to type. To save the typed name would replace theirs. `own`: the
 * last name that the user has sent, which may appear as the saved one before the answer to it does.
 */
export const isOvertaken = (draft: NameDraft, own?: string): boolean =>
  draft.saved !== draft.begunOn && draft.saved !== own && changedName(draft) !== null

/** The user wants the typed name although somebody else has saved another one. */
export const rebased = (draft: NameDraft): NameDraft => ({ ...draft, begunOn: draft.saved })
