// In charge of which column is the target for a pointer somewhere on the board. Pure.

export type Span = { name: string; left: number; right: number }

/** Slightly more than half of the gap between two columns: in the gap, the nearer column is the target. */
const slack = 6

export function columnAt(columns: readonly Span[], x: number): string | null {
  const away = ({ left, right }: Span): number => Math.max(left - x, x - right, 0)
  const [nearest] = columns.toSorted((a, b) => away(a) - away(b))
  return nearest && away(nearest) <= slack ? nearest.name : null
}
