// In charge of making names unique: a name that is taken already gets a number. Pure.

/** The name itself if it is not taken; otherwise the name with the first number that is not taken, as in `image_2`. */
export const freeName = (wish: string, taken: ReadonlySet<string>): string =>
  taken.has(wish) ? numbered(wish, taken) : wish

export function numbered(stem: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`
}
