// In charge of deciding in which column a card is dropped for a given position of the pointer. Pure.

export type Span = { name: string; left: number; right: number }

/**
 * A pointer at most this many pixels beside a column still counts as over the column. It is slightly more than half of the gap
 * between two columns, so that every point of the gap belongs to a column.
 */
const slack = 6

export function columnAt(columns: readonly Span[], x: number): string | null {
  const away = ({ left, right }: Span): number => Math.max(left - x, x - right, 0)
  const [nearest] = columns.toSorted((a, b) => away(a) - away(b))
  return nearest && away(nearest) <= slack ? nearest.name : null
}
