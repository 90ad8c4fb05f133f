// In charge of the history of a run: the list of its checkpoints, any of which can be restored.
import { busy, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { History } from '../graph/history.tsx'
import { type Run, runHistoryQuery } from './queries.ts'
import { RewindPreview } from './rewind-preview.tsx'
import type { Actions } from './use-actions.ts'

type Props = { run: Run; actions: Actions; mayWrite: boolean; close: () => void }

export function RunHistory({ run, actions, mayWrite, close }: Props) {
  const history = useInfiniteQuery(runHistoryQuery(run.id))
  return (
    <History
      what="run"
      // If the run is busy or waits at a gate, its state has changed since the newest checkpoint.
      isNewestNow={!busy(run.status) && run.status !== 'awaiting_input'}
      entries={history.data?.pages.flatMap(({ items }) => items)}
      error={history.error}
      retry={() => void history.refetch()}
      more={history.hasNextPage ? () => void history.fetchNextPage() : null}
      refusal={mayWrite ? refusalWords(runRefuses.rewind(run)) : mayOnlyLook}
      restore={actions.restore}
      preview={(at) => <RewindPreview run={run} at={at} />}
      close={close}
    />
  )
}
