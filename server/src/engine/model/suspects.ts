// In charge of runs whose workers crashed: after how many crashes in a row a run becomes a suspect, and after how many it
// fails. Pure.

/**
 * A run fails when this many workers in a row have crashed while they executed it, and none of its units has ended in
 * between.
 */
export const deathLimit = 3

/**
 * After one crash fewer, the run is a suspect. A worker executes a suspect alone, so that a crash is not counted against
 * other runs of that worker too.
 */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/**
 * For how many milliseconds a suspect is executed alone. A run that crashes its workers usually does so early. After this
 * time, other runs may begin beside it and need not wait for its end.
 */
export const aloneMs = 30_000
