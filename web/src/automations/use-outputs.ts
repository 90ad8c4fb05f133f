// In charge of what an automation's graph can put on a card, as the graph is now.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { nodeTypesQuery } from '../graph/queries.ts'
import { graphNameQuery } from '../ui/graph-picker.tsx'
import { fileOutputs } from './file-outputs.ts'

/** `outputs` are null until the graph has been read; `isGone`: there is no graph with this id any more. */
export function useOutputs(graphId: string | null) {
  const graph = useQuery({ ...graphNameQuery(graphId ?? ''), enabled: graphId !== null })
  const types = useQuery(nodeTypesQuery).data
  const outputs = useMemo(
    () => (graph.data && types ? fileOutputs(readDefinition(graph.data.definition), types) : null),
    [graph.data, types],
  )
  return { name: graph.data?.name ?? null, outputs, isGone: graph.isError || (graph.data?.deleted_at ?? null) !== null }
}
