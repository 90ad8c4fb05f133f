// In charge of which columns are to be read again when tasks have changed: those that show them, and those they went to.
// Pure.
import type { ColumnName } from '../lib/types.ts'

export type Whereabouts = {
  id: string
  /** Where it stands; null where it is gone for good. */
  column: ColumnName | null
  isNew: boolean
}
type Held = { name: ColumnName; ids: ReadonlySet<string>; isWhole: boolean }

/**
 * `all` where a task left a column that cannot be told: one that is not new, stands on no page that was read, and may have
 * stood on one that was not.
 */
export function columnsToRead(tasks: readonly Whereabouts[], held: readonly Held[]): ReadonlySet<ColumnName> | 'all' {
  const columns = new Set<ColumnName>()
  for (const { id, column, isNew } of tasks) {
    const from = held.find(({ ids }) => ids.has(id))
    if (from) columns.add(from.name)
    else if (!isNew && held.some(({ isWhole }) => !isWhole)) return 'all'
    if (column) columns.add(column)
  }
  return columns
}
