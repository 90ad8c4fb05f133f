// In charge of the page of one run: it shows either the run, or its definition in the editor, or a comparison with another run.
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { graphQuery, nodeTypesQuery } from '../graph/queries.ts'
import { callerQuery } from '../lib/queries.ts'
import { retryFailed } from '../lib/retry-failed.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { Compare } from './compare.tsx'
import './dialogs.css'
import './gallery.css'
import './gate.css'
import './run.css'
import './value.css'
import { runLooks } from '../canvas/words.ts'
import { comparedTitle } from './compare-choices.ts'
import { runQuery } from './queries.ts'
import { RunEditor } from './run-editor.tsx'
import { RunView } from './run-view.tsx'
import { isGone, useRun } from './use-run.ts'

const route = getRouteApi('/runs/$run_id')

export function RunPage() {
  const { run_id } = route.useParams()
  const search = route.useSearch()
  const run = useRun(run_id)
  const types = useQuery(nodeTypesQuery)
  const caller = useQuery(callerQuery)
  const graphId = run.data?.data.graph_id ?? null
  // If this read fails, because the graph was deleted for good, the run is shown all the same, without the graph's name.
  const graph = useQuery({ ...graphQuery(graphId ?? ''), enabled: graphId !== null, staleTime: 30_000 })
  const isGraphGone = run.data !== undefined && (graphId === null || isGone(graph.error))
  const name = graph.data?.data.name ?? 'Run'
  const status = run.data?.data.status
  const other = useQuery({ ...runQuery(search.with ?? ''), enabled: search.with !== undefined })
  const title =
    run.data && search.with !== undefined
      ? comparedTitle(name, run.data.data, other.data?.data)
      : `${status ? `${runLooks[status].label}: ` : ''}${name}`
  useDocumentTitle(`${title} · Atelier`)
  const error = run.error ?? types.error ?? caller.error
  if (!run.data || !types.data || !caller.data) {
    if (!error) return <Loading what="the run" />
    return (
      <>
        <Failed error={error} retry={() => retryFailed(run, types, caller)} />
        <div className="state">
          <Button variant="subtle" component="a" href="/runs">
            To all runs
          </Button>
        </div>
      </>
    )
  }
  const shared = { run: run.data, types: types.data, caller: caller.data, graph: graph.data ?? null, isGraphGone }
  if (search.with !== undefined) return <Compare run={run.data.data} other={search.with} types={types.data} />
  if (search.view === 'edit') {
    return (
      <ReactFlowProvider key={`edit/${run_id}`}>
        <RunEditor {...shared} />
      </ReactFlowProvider>
    )
  }
  return (
    <ReactFlowProvider key={run_id}>
      <RunView {...shared} isGone={isGone(run.error)} selected={search.node ?? null} />
    </ReactFlowProvider>
  )
}
