// In charge of the message that the graph on this page was saved elsewhere while nobody edited it here, and by whom.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
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
