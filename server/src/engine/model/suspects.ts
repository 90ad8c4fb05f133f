// In charge of runs whose workers crashed: the number of crashes after which a run is a suspect, and after which it
// fails. Pure.

/** How many workers in a row may crash while executing the run, with nothing saved in between, before the run fails. */
export const deathLimit = 3

/**
 * One crash fewer: from then on the run is a suspect and is executed alone, so that no run fails because of another
 * run's crashes.
 */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/**
 * How long a suspect is executed alone. A run that crashes workers does so soon, so other runs need not wait until a
 * long suspect has ended.
 */
export const aloneMs = 30_000
