// In charge of what the address of a graph says. Pure; what cannot be read is left out.

/** `run`: the run whose results are shown on the canvas. */
export type GraphSearch = { run?: string }

export const readGraphSearch = (raw: Record<string, unknown>): GraphSearch =>
  typeof raw.run === 'string' && raw.run !== '' ? { run: raw.run } : {}
