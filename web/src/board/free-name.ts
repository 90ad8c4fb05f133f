// In charge of proposing a new name for a creative whose old name was taken by another one. Pure.

/** Appends the suffix `_r1`, for a first restore; if the name ends with such a suffix already, increases the number in it. */
export function freeName(name: string): string {
  const match = /^(.*)_r(\d+)$/.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  return `${base.slice(0, 255 - suffix.length)}${suffix}`
}
