// In charge of reading the search parameters of the lookup page; invalid parameters are ignored. Pure.

/** `q`: a handle that is looked up when the page opens. */
export type LookupSearch = { q?: string }

export const readLookupSearch = ({ q }: Record<string, unknown>): LookupSearch =>
  typeof q === 'string' && q.trim() !== '' ? { q } : {}
