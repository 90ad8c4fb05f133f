// In charge of runs whose workers crashed: after how many crashes in a row a run becomes a suspect, and after how many it
// fails. Pure.

/**
 * A run fails when this many workers in a row have crashed while they executed it, and none of its units has ended in
 * between.
 */
export const deathLimit = 3

/**
 * A run becomes a suspect when this many workers in a row have crashed: only one more crash makes it fail. A worker executes a
 * suspect alone, so that another crash is not counted against other runs too.
 */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/**
 * For how many milliseconds a suspect is executed alone. A run that crashes its workers usually does so early. After this
 * time, its worker may execute other runs too, so that they need not wait until the suspect has ended.
 */
export const aloneMs = 30_000
