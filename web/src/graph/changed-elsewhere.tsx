// In charge of two messages above an open graph: somebody else has saved it (and who), or somebody else has deleted it.
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../lib/api.ts'
import { agoWords, durationMs, leftOf, spanWords } from '../lib/dates.ts'
import { schemaQuery } from '../lib/queries.ts'
import type { Caller } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { changeWords } from './change-words.ts'

/** `revision`: the stored revision, which this page does not show. */
type Props = { graphId: string; revision: string; caller: Caller; show: () => void }

export function ChangedElsewhere({ graphId, revision, caller, show }: Props) {
  const now = useNow()
  const change = useQuery({
    queryKey: ['change', 'graph', graphId, revision],
    queryFn: async () => {
      const { items } = await call('listGraphHistory', { params: { graph_id: graphId }, query: { limit: 1 } })
      return items[0] ?? null
    },
  })
  return (
    <div className="banner" data-tone="warn" role="status">
      <Icon name="warning" />
      <p>
        <strong>{changeWords('graph', change.data ?? null, caller, now)}.</strong> Here it stands as it was before.
      </p>
      <Button variant="default" onClick={show}>
        Show theirs
      </Button>
    </div>
  )
}

/** `keep`: makes a graph of its own of what is on this page; null if the user may not. */
export function DeletedElsewhere({ deletedAt, keep }: { deletedAt: string; keep: (() => void) | null }) {
  const now = useNow()
  const schema = useQuery(schemaQuery)
  const left = schema.data ? leftOf(deletedAt, durationMs(schema.data.retention_window), now) : null
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="trash" />
      <p>
        <strong>This graph was deleted {agoWords(deletedAt, now)}.</strong>{' '}
        {left === 0 ? (
          'It cannot be restored any more.'
        ) : (
          <>
            Its owner can restore it from{' '}
            <Anchor renderRoot={(props) => <Link to="/graphs" search={{ show: 'deleted' }} {...props} />}>
              the list
            </Anchor>
            {left === null ? '' : ` for another ${spanWords(left)}`}. Until then, nothing of it can be saved or run.
          </>
        )}
      </p>
      {keep ? (
        <Button variant="default" onClick={keep}>
          Keep mine as a fork
        </Button>
      ) : null}
    </div>
  )
}
