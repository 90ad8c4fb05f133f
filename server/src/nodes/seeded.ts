// In charge of pseudo-random choices that depend only on the seed of a call, so that they are the same on every machine.

export type Seeded = {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** One element of a list that is not empty. */
  pick<T>(among: readonly T[]): T
}

/** The generator Mulberry32, started from the first 8 hexadecimal digits of `seed` and from `salt`; another salt: other choices. */
export function seeded(seed: string, salt = 0): Seeded {
  let state = (Number.parseInt(seed.slice(0, 8), 16) ^ Math.imul(salt + 1, 0x9e3779b1)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (among) => {
      const picked = among[Math.floor(next() * among.length)]
      if (picked === undefined) throw new Error('There is nothing to pick among.')
      return picked
    },
  }
}
