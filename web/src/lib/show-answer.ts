// In charge of showing the answer of a request that has changed a record, unless the page may show a newer state of it by then.
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Waits for `request`, and shows its answer with `show`, which sets the data of the query. If the record was read while the request
 * was under way, what was read may be newer than the answer, because somebody else may have changed the record in between: then
 * the answer is not shown. In this case, and if a read is still under way, the record is read once more.
 */
export async function showAnswer<T>(
  client: QueryClient,
  queryKey: QueryKey,
  request: Promise<T>,
  show: (answer: T) => void,
): Promise<T> {
  const before = client.getQueryState(queryKey)?.dataUpdateCount
  const answer = await request
  const state = client.getQueryState(queryKey)
  const wasRead = state?.dataUpdateCount !== before
  if (!wasRead) show(answer)
  if (wasRead || state?.fetchStatus === 'fetching') await client.invalidateQueries({ queryKey, exact: true })
  return answer
}
