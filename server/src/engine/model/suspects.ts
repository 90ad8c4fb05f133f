// In charge of runs that workers were lost with: from when on one is suspected, and when it is given up. Pure.

/** So many workers lost in a row that had something of it under way, with nothing saved between, and the run is what kills them. */
export const deathLimit = 3

/** One more, and it is given up: it is tried alone first, so that no run is given up for what another did. */
export const suspectDeaths = deathLimit - 1

export const isSuspect = ({ deaths }: { deaths: number }): boolean => deaths >= suspectDeaths

/** How long a suspect is left alone. What kills workers does so soon; others need not wait for a long run to end. */
export const aloneMs = 30_000
