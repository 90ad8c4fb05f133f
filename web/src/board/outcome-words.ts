// In charge of the words for how many tasks a search or a filter has found. Pure.

/** `isWhole`: false if the service did not count the tasks of the column, and not all of them have been read. */
type Found = { total: number; isWhole: boolean }

export function outcomeWords(columns: readonly Found[]): string {
  const total = columns.reduce((sum, column) => sum + column.total, 0)
  if (total === 0) return 'Nothing matches'
  const count = columns.every(({ isWhole }) => isWhole) ? `${total}` : `At least ${total}`
  return total === 1 && count === '1' ? '1 task matches' : `${count} tasks match`
}
