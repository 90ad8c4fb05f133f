// In charge of the banner about a start that needs an admin's approval: it says that the decision is open, or what was decided.
import { amountWords } from '@atelier/contract/money.ts'
import { Anchor, Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { peopleQuery } from '../lib/queries.ts'
import type { Approval } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import type { Run } from './queries.ts'
import type { Actions } from './use-actions.ts'

/**
 * The newest approval of a start of this run as it is now; null if there is none. Approvals of new takes (`review_comment_id`) are
 * skipped, and those that were asked for before the run was changed or started otherwise.
 */
const runApprovalQuery = (run_id: string) =>
  queryOptions({
    queryKey: ['money', 'approvals', run_id],
    queryFn: async (): Promise<Approval | null> =>
      (await call('listApprovals', { query: { run_id, limit: 20 } })).items.find(
        ({ review_comment_id, overtaken }) => review_comment_id === null && !overtaken,
      ) ?? null,
  })

export function ApprovalBanner({ run, actions }: { run: Run; actions: Actions }) {
  const approval = useQuery(runApprovalQuery(run.id)).data ?? null
  const people = useQuery(peopleQuery).data ?? []
  const [isBusy, setIsBusy] = useState(false)
  if (approval === null || approval.used_at !== null) return null
  const sum = `up to ${amountWords(approval.most, approval.currency)}`
  const who = people.find(({ id }) => id === approval.decided_by)?.name ?? 'An admin'
  const start = async () => {
    setIsBusy(true)
    await actions.start(approval.body)
    setIsBusy(false)
  }
  if (approval.approved === null)
    return (
      <div className="banner" data-tone="warn" role="status">
        <Icon name="product" />
        <p>A start of {sum} waits for an approval. Admins decide about it under Money.</p>
        <Anchor size="xs" renderRoot={(props) => <Link to="/money" {...props} />}>
          To Money
        </Anchor>
      </div>
    )
  return (
    <div className="banner" data-tone={approval.approved ? 'quiet' : 'warn'} role="status">
      <Icon name="product" />
      <p>
        {who} {approval.approved ? 'approved' : 'declined'} a start of {sum}.
      </p>
      {approval.approved ? (
        <Button loading={isBusy} onClick={() => void start()}>
          Start as approved
        </Button>
      ) : null}
    </div>
  )
}
