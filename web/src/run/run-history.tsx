// In charge of the history of a run: its checkpoints, and putting it back as it stood at one.
import { runRefuses } from '@atelier/contract/run-rules.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckpointPreview } from '../graph/checkpoint-preview.tsx'
import { History } from '../graph/history.tsx'
import { type Run, runHistoryQuery } from './queries.ts'
import type { Actions } from './use-actions.ts'
import { refusalWords } from './words.ts'

type Props = { run: Run; actions: Actions; mayWrite: boolean; close: () => void }

export function RunHistory({ run, actions, mayWrite, close }: Props) {
  const history = useInfiniteQuery(runHistoryQuery(run.id))
  return (
    <History
      what="run"
      entries={history.data?.pages.flatMap(({ items }) => items)}
      error={history.error}
      retry={() => void history.refetch()}
      more={history.hasNextPage ? () => void history.fetchNextPage() : null}
      refusal={mayWrite ? refusalWords(runRefuses.rewind(run)) : 'You may look at runs, and not change them.'}
      restore={actions.restore}
      preview={(at) => (
        <>
          <p className="hint">Nodes, rolls, answers and status come back as they were then. Credits stay paid.</p>
          <CheckpointPreview subject={{ run: run.id }} at={at} now={run.definition} />
        </>
      )}
      close={close}
    />
  )
}
