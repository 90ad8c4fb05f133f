// In charge of runs that workers were lost with: after how many losses a run is a suspect, and after how many it fails. Pure.

/** Workers lost in a row, each with something of the run under way and nothing saved between, after which the run fails. */
export const deathLimit = 3

/** One loss before that limit: from here on the run is tried alone, so that no run fails for what another did. */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/** How long a suspect is left alone. What kills workers does so soon; others need not wait for a long run to end. */
export const aloneMs = 30_000
