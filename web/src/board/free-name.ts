// In charge of proposing a name for a creative whose name was taken. Pure.

/** The name with a suffix that marks a restore; if the name has such a suffix already, the next number. */
export function freeName(name: string): string {
  const match = /^(.*)_r(\d+)$/.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  return `${base.slice(0, 255 - suffix.length)}${suffix}`
}
