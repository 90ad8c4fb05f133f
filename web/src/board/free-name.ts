// In charge of proposing a name for a creative that lost its own. Pure.

/** The name with a suffix that says why it differs; of a name that has one already, the next. */
export function freeName(name: string): string {
  const match = /^(.*)_r(\d+)$/.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  return `${base.slice(0, 255 - suffix.length)}${suffix}`
}
