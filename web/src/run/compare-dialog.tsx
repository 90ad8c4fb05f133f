// In charge of the dialog in which the user chooses another run of the same graph, to compare it with the open run.
import { Button, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RunMark } from '../canvas/status-mark.tsx'
import { creditWords } from '../canvas/words.ts'
import { agoWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { type Run, runsQuery } from './queries.ts'

export function CompareDialog({ run, close }: { run: Run; close: () => void }) {
  const now = useNow()
  const navigate = useNavigate()
  const runs = useInfiniteQuery(runsQuery(run.graph_id === null ? {} : { graph_id: run.graph_id }))
  const others = (runs.data?.pages.flatMap(({ items }) => items) ?? []).filter(({ id }) => id !== run.id)
  return (
    <Dialog onClose={close} title="Compare with another run" closeButtonProps={{ 'aria-label': 'Close' }}>
      {runs.isPending ? <Loading what="the runs" /> : null}
      {runs.error && !runs.data ? <Failed error={runs.error} retry={() => void runs.refetch()} /> : null}
      {runs.data && others.length === 0 ? (
        <Empty icon="run" title={run.graph_id === null ? 'There are no other runs' : 'This graph has no other runs'} />
      ) : null}
      <ul className="node-list">
        {others.map(({ id, status, created_at, credits_total, generation }) => (
          <li key={id}>
            <UnstyledButton
              className="node-list-entry"
              onClick={() => void navigate({ to: '/runs/$run_id', params: { run_id: run.id }, search: { with: id } })}
            >
              <span className="node-names">
                <strong>{agoWords(created_at, now)}</strong>
                <span>
                  generation {generation} · {creditWords(credits_total)}
                </span>
              </span>
              <RunMark status={status} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {runs.hasNextPage ? (
        <Button variant="subtle" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          Earlier runs
        </Button>
      ) : null}
    </Dialog>
  )
}
