// In charge of requesting the data that a page shows first. This happens as soon as the page's address is known, while the scripts
// of the page are still loading.
import { graphQuery, nodeTypesQuery } from './graph/queries.ts'
import { peopleQuery, productsQuery, schemaQuery } from './lib/queries.ts'
import { queryClient } from './lib/query-client.ts'
import { runQuery } from './run/queries.ts'

export function openBoard(): void {
  void queryClient.prefetchQuery(schemaQuery)
  void queryClient.prefetchQuery(peopleQuery)
  void queryClient.prefetchQuery(productsQuery)
}

export function openGraph(id: string): void {
  void queryClient.prefetchQuery(graphQuery(id))
  void queryClient.prefetchQuery(nodeTypesQuery)
}

export function openRun(id: string): void {
  void queryClient.prefetchQuery(runQuery(id))
  void queryClient.prefetchQuery(nodeTypesQuery)
}
