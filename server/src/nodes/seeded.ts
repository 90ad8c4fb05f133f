// In charge of chance that is not: picks that follow from a call's seed and are the same wherever it runs.

export type Seeded = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number
  /** One of a list that is not empty. */
  pick<T>(among: readonly T[]): T
}

/** Mulberry32 over the first digits of a seed of hexadecimal digits; `salt` gives independent picks from one seed. */
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
