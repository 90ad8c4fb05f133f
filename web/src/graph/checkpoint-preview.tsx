// In charge of showing what going back to a checkpoint would change, before anybody does.
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { differences } from './diff.ts'
import { DiffList } from './diff-list.tsx'
import type { Raw } from './doc.ts'

type Props = { subject: { graph: string } | { run: string }; at: string; now: Raw }

export function CheckpointPreview({ subject, at, now }: Props) {
  const checkpoint = useQuery({
    queryKey: ['checkpoint', subject, at],
    queryFn: () =>
      'graph' in subject
        ? call('readGraphCheckpoint', { params: { graph_id: subject.graph }, query: { at } })
        : call('readRunCheckpoint', { params: { run_id: subject.run }, query: { at } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checkpoint.error) return <p className="hint problem">{wordsOf(checkpoint.error)}</p>
  if (!checkpoint.data) return <p className="hint">Looking …</p>
  return (
    <>
      <p className="hint">Going back would change:</p>
      <DiffList diff={differences(now, checkpoint.data.definition)} same="Nothing about nodes and edges." />
    </>
  )
}
