// In charge of names that must differ from those there are: numbered where they are taken. Pure.

/** The name itself where it is free, else with the first number that makes it so. */
export const freeName = (wish: string, taken: ReadonlySet<string>): string =>
  taken.has(wish) ? numbered(wish, taken) : wish

export function numbered(stem: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`
}
