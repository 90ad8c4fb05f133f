// In charge of the name of whoever has written or decided something. Pure.

/** `name` is null for an integration, and for a person whose name the identity provider has not told yet. */
type By = { user_id: string | null; name: string | null }

export const authorName = ({ user_id, name }: By): string => name ?? (user_id === null ? 'An integration' : 'Unnamed')
