// In charge of showing what would change in a graph if the user restored it to a checkpoint.
import { useQuery } from '@tanstack/react-query'
import { differences, sameValue } from '../canvas/diff.ts'
import { DiffList } from '../canvas/diff-list.tsx'
import { type Doc, docOf } from '../canvas/layout.ts'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'

type Props = { graphId: string; at: string; now: Doc }

export function CheckpointPreview({ graphId, at, now }: Props) {
  const checkpoint = useQuery({
    queryKey: ['checkpoint', graphId, at],
    queryFn: () => call('readGraphCheckpoint', { params: { graph_id: graphId }, query: { at } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checkpoint.error) return <p className="hint problem">{wordsOf(checkpoint.error)}</p>
  if (!checkpoint.data) return <p className="hint">Looking …</p>
  return (
    <>
      <p className="hint">Going back would change:</p>
      <DiffList diff={differences(now.definition, checkpoint.data.definition)} same="Nothing about nodes and edges." />
      {sameValue(docOf(checkpoint.data).annotations, now.annotations) ? null : (
        <p className="hint">Notes and frames become what they were then.</p>
      )}
    </>
  )
}
