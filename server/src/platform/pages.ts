// In charge of reading many rows a page at a time.

/**
 * Yields the pages of rows that `read` returns, which gets the last row of the page before; undefined at first. Ends after a page
 * with fewer rows than `size`.
 */
export async function* pagesOf<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    const rows = await read(last)
    yield rows
    last = rows.length < size ? undefined : rows.at(-1)
  } while (last !== undefined)
}
