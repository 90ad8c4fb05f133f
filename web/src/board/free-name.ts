// In charge of proposing a new name for a creative whose name now belongs to another creative. Pure.

/** The name with the suffix `_r1`; if the name ends in such a suffix already, with the next number. At most 255 characters. */
export function freeName(name: string): string {
  const match = /^(.*)_r(\d+)$/.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  return `${base.slice(0, 255 - suffix.length)}${suffix}`
}
