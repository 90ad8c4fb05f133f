// In charge of names that must be unique: a name that is taken gets a number. Pure.

/** The name itself if it is free, else the name with the first free number. */
export const freeName = (wish: string, taken: ReadonlySet<string>): string =>
  taken.has(wish) ? numbered(wish, taken) : wish

export function numbered(stem: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`
}
