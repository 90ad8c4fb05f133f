// In charge of reading the search parameters of a graph's page and of the list of graphs; parameters that cannot be read are ignored.
// Pure.

/** `run`: the id of the run whose results are shown on the canvas. */
export type GraphSearch = { run?: string }

export const readGraphSearch = (raw: Record<string, unknown>): GraphSearch =>
  typeof raw.run === 'string' && raw.run !== '' ? { run: raw.run } : {}

/** `q`: part of the names to list; `show`: the user's own graphs, or the deleted ones; all if it is missing. */
export type GraphsSearch = { q?: string; show?: 'own' | 'deleted' }

export const readGraphsSearch = (raw: Record<string, unknown>): GraphsSearch => ({
  ...(typeof raw.q === 'string' && raw.q !== '' ? { q: raw.q } : {}),
  ...(raw.show === 'own' || raw.show === 'deleted' ? { show: raw.show } : {}),
})
