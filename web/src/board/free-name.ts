// In charge of proposing a new name for a creative whose old name was taken by another one. Pure.

/** The name with the suffix `_r1`, or with the next number if it has such a suffix already; at most 255 characters long. */
export function freeName(name: string): string {
  const match = /^(.*)_r(\d+)$/.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  return `${base.slice(0, 255 - suffix.length)}${suffix}`
}
