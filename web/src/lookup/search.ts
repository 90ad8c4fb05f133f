// In charge of what the address of the lookup says. Pure; what cannot be read is left out.

/** `q`: a handle that is looked up as the page opens. */
export type LookupSearch = { q?: string }

export const readLookupSearch = ({ q }: Record<string, unknown>): LookupSearch =>
  typeof q === 'string' && q.trim() !== '' ? { q } : {}
