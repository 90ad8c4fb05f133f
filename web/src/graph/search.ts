// In charge of reading the search parameters of a graph's page; parameters that cannot be read are ignored. Pure.

/** `run`: the id of the run whose results are shown on the canvas. */
export type GraphSearch = { run?: string }

export const readGraphSearch = (raw: Record<string, unknown>): GraphSearch =>
  typeof raw.run === 'string' && raw.run !== '' ? { run: raw.run } : {}
