// In charge of proposing a new name for a creative whose name now belongs to another creative. Pure.

/** The name with the suffix `_r1`; if the name ends in such a suffix already, with the next number. At most 255 characters. */
export function proposedName(name: string): string {
  // A longer number could not be counted on exactly.
  const match = /^(.*)_r(\d{1,15})$/s.exec(name)
  const [base, next] = match?.[1] ? [match[1], Number(match[2]) + 1] : [name, 1]
  const suffix = `_r${next}`
  // The service counts characters, of which one may be two units of a string.
  return `${[...base].slice(0, 255 - suffix.length).join('')}${suffix}`
}
