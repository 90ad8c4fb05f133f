// In charge of reading which outputs an automation's graph has at present, so that a user can select some of them.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { CallError } from '@atelier/contract/wire/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { nodeTypesQuery } from '../graph/queries.ts'
import { retryFailed } from '../lib/retry-failed.ts'
import { graphNameQuery } from '../ui/graph-picker.tsx'
import { fileOutputs } from './file-outputs.ts'

/**
 * `name` and `outputs` are null until they are read, if `graphId` is null, or if reading them failed, which `error` then tells.
 * `isGone`: the graph is deleted. If it was only not read, for example because there was no connection, it may still be there.
 */
export function useOutputs(graphId: string | null) {
  const graph = useQuery({ ...graphNameQuery(graphId ?? ''), enabled: graphId !== null })
  const nodeTypes = useQuery(nodeTypesQuery)
  const types = nodeTypes.data
  const outputs = useMemo(
    () => (graph.data && types ? fileOutputs(readDefinition(graph.data.definition), types) : null),
    [graph.data, types],
  )
  return {
    name: graph.data?.name ?? null,
    outputs,
    error: outputs === null ? (graph.error ?? nodeTypes.error) : null,
    retry: () => retryFailed(graph, nodeTypes),
    isGone: isDeleted(graph.error) || (graph.data?.deleted_at ?? null) !== null,
  }
}

const isDeleted = (error: unknown): boolean => error instanceof CallError && [404, 410].includes(error.status)

export type Outputs = ReturnType<typeof useOutputs>
