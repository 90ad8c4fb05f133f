// In charge of deciding in which column a card is dropped for a given position of the pointer. Pure.

export type Span = { name: string; left: number; right: number }

/** How many pixels beside a column a card can still be dropped in it: slightly more than half of the gap between two columns. */
const slack = 6

export function columnAt(columns: readonly Span[], x: number): string | null {
  const away = ({ left, right }: Span): number => Math.max(left - x, x - right, 0)
  const [nearest] = columns.toSorted((a, b) => away(a) - away(b))
  return nearest && away(nearest) <= slack ? nearest.name : null
}
