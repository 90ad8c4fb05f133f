// In charge of showing what would change in a graph if the user restored it to a checkpoint.
import { useQuery } from '@tanstack/react-query'
import { differences, sameValue } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { docOf } from '../canvas/layout.ts'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import type { Graph } from './queries.ts'
import type { Editor } from './use-editor.ts'

type Props = { graph: Graph; at: string; editor: Pick<Editor, 'doc' | 'state'> }

export function CheckpointPreview({ graph, at, editor: { doc, state } }: Props) {
  const checkpoint = useQuery({
    queryKey: ['checkpoint', graph.id, at],
    queryFn: () => call('readGraphCheckpoint', { params: { graph_id: graph.id }, query: { at } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checkpoint.error) return <p className="hint problem">{wordsOf(checkpoint.error)}</p>
  if (!checkpoint.data) return <p className="hint">Looking …</p>
  const { name, description, definition } = checkpoint.data
  return (
    <>
      <p className="hint">Going back would change:</p>
      {name === graph.name ? null : (
        <p className="hint">
          Its name: “{graph.name}” → “{name}”.
        </p>
      )}
      {description === graph.description ? null : <p className="hint">The description becomes what it was then.</p>}
      <DiffList diff={differences(doc.definition, definition)} same="Nothing about nodes and edges." />
      {sameValue(docOf(checkpoint.data).annotations, doc.annotations) ? null : (
        <p className="hint">Notes and frames become what they were then.</p>
      )}
      {state.unread.length === 0 ? null : <p className="hint">What is not JSON yet in its field is not kept.</p>}
    </>
  )
}
