// In charge of runs whose workers crashed: after how many crashes a run is a suspect, and after how many it fails. Pure.

/** How many workers in a row may crash while executing the run, with nothing saved in between, before the run fails. */
export const deathLimit = 3

/** One crash before that limit: from here on the run is executed alone, so that no run fails because of another one. */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/**
 * How long a suspect is executed alone. A run that crashes workers does so soon; the others need not wait until a long run
 * has ended.
 */
export const aloneMs = 30_000
