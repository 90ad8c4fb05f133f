// In charge of a conflict in the graph editor: since this page read the graph, somebody has saved it elsewhere, deleted it, or become
// its owner. The user decides what is kept.
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { docOf } from '../canvas/layout.ts'
import { call, callTagged } from '../lib/api.ts'
import type { Caller } from '../lib/types.ts'
import { Conflict, type Theirs } from './conflict.tsx'
import { type Graph, graphQuery } from './queries.ts'
import type { Editor } from './use-editor.ts'

type TheirGraph = Theirs & { read: Tagged<Graph> }

type Props = { graph: Graph; editor: Editor; caller: Caller; keep: () => void }

export function GraphConflict({ graph, editor, caller, keep }: Props) {
  const client = useQueryClient()
  const params = { graph_id: graph.id }
  const read = async (): Promise<TheirGraph> => {
    const [read, { items }] = await Promise.all([
      callTagged('getGraph', { params }),
      call('listGraphHistory', { params, query: { limit: 1 } }),
    ])
    return {
      read,
      doc: docOf(read.data),
      etag: read.etag,
      change: items[0] ?? null,
      closed: closedWords(read.data, caller),
    }
  }
  return (
    <Conflict
      what="graph"
      id={graph.id}
      {...{ editor, caller, read }}
      adopt={({ read }) => client.setQueryData(graphQuery(graph.id).queryKey, read)}
      keep={keep}
      keepLabel="Keep mine as a fork"
    />
  )
}

function closedWords({ deleted_at, owner_id }: Graph, caller: Caller): string | null {
  if (deleted_at !== null)
    return 'This graph is deleted now. Its owner can restore it from the list of graphs for a time.'
  return owner_id === caller.user?.id ? null : 'This graph is somebody else’s now.'
}
