// In charge of which column a pointer means that is somewhere on the board. Pure.

export type Span = { name: string; left: number; right: number }

/** Half of the gap between two columns, and a little: between them the nearer one is meant. */
const slack = 6

export function columnAt(columns: readonly Span[], x: number): string | null {
  const away = ({ left, right }: Span): number => Math.max(left - x, x - right, 0)
  const [nearest] = columns.toSorted((a, b) => away(a) - away(b))
  return nearest && away(nearest) <= slack ? nearest.name : null
}
