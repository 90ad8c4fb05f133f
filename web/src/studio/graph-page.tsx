// In charge of the page of one graph: it loads the graph and opens the editor.
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { graphQuery, nodeTypesQuery } from '../graph/queries.ts'
import { callerQuery } from '../lib/queries.ts'
import { retryFailed } from '../lib/retry-failed.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { GraphEditor } from './graph-editor.tsx'

const route = getRouteApi('/graphs/$graph_id')

export function GraphPage() {
  const { graph_id } = route.useParams()
  // The key gives each graph a state of its own, because this component stays when a link leads from one graph to another.
  return <OneGraph key={graph_id} graph_id={graph_id} />
}

function OneGraph({ graph_id }: { graph_id: string }) {
  const client = useQueryClient()
  // When the browser is online again, the query must not read the graph anew, because the user may be editing the graph.
  const graph = useQuery({ ...graphQuery(graph_id), refetchOnReconnect: false })
  const types = useQuery(nodeTypesQuery)
  const caller = useQuery(callerQuery)
  /** The number of reloads so far. Each reload restarts the editor with the newly loaded graph. */
  const [opened, setOpened] = useState(0)
  useDocumentTitle(`${graph.data?.data.name ?? 'Graph'} · Atelier`)
  // When the editor closes, the cached graph is marked as outdated, because the editor may have changed the graph.
  useEffect(
    () => () => void client.invalidateQueries({ queryKey: graphQuery(graph_id).queryKey, refetchType: 'none' }),
    [client, graph_id],
  )
  /**
   * Reads the graph again and, unless `mayReplace` then returns false, restarts the editor with it. Resolves to whether the editor
   * was restarted.
   */
  const reload = async (mayReplace: () => boolean) => {
    await client.fetchQuery({ ...graphQuery(graph_id), staleTime: 0 })
    const isReplaced = mayReplace()
    if (isReplaced) setOpened((before) => before + 1)
    return isReplaced
  }
  const error = graph.error ?? types.error ?? caller.error
  /** False until a graph is there that is not outdated. Later reads of the graph do not close the editor. */
  const [isRead, setIsRead] = useState(false)
  if (!isRead && graph.data && !(graph.isFetching && graph.isStale)) setIsRead(true)
  const found = useMemo(
    () =>
      graph.data && types.data && caller.data && isRead
        ? { key: opened, graph: graph.data, types: types.data, caller: caller.data }
        : null,
    [opened, isRead, graph.data, types.data, caller.data],
  )
  // A deferred value lets React render thousands of nodes in small steps, so that the page stays responsive.
  const shown = useDeferredValue(found, null)
  if (shown && found) {
    return (
      <ReactFlowProvider key={shown.key}>
        <GraphEditor graph={shown.graph} types={shown.types} caller={shown.caller} reload={reload} />
      </ReactFlowProvider>
    )
  }
  if (!error) return <Loading what="the graph" />
  return (
    <>
      <Failed error={error} retry={() => retryFailed(graph, types, caller)} />
      <div className="state">
        <Button variant="subtle" component="a" href="/graphs">
          To all graphs
        </Button>
      </div>
    </>
  )
}
