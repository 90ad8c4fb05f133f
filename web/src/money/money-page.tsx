// In charge of the money page: it shows how much of each budget is used, the starts that wait for an approval, and the spending.

import { amountWords } from '@atelier/contract/money.ts'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { approvalsQuery, callerQuery, moneyQuery, sumsMs } from '../lib/queries.ts'
import type { Approval } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useWrite } from '../ui/use-write.ts'
import '../ui/people.css'
import { ApprovalAbove } from './approval-above.tsx'
import { ownerNames } from './budget-owners.ts'
import { Budgets } from './budgets.tsx'
import { EndedBudgets } from './ended-budgets.tsx'
import { SetBudget } from './set-budget.tsx'
import { Spend } from './spend.tsx'
import { useOwners } from './use-owners.ts'

export function MoneyPage() {
  useDocumentTitle('Money · Atelier')
  useReloadScroll()
  const money = useQuery({ ...moneyQuery, refetchInterval: sumsMs })
  const isAdmin = useQuery(callerQuery).data?.scopes.includes('admin') ?? false
  if (money.isPending) return <Loading what="the budgets" />
  if (!money.data) return <Failed error={money.error} retry={() => void money.refetch()} />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Money</h1>
          <p>
            What AI models have cost, and what they may cost. When a run starts, the most that it may cost is reserved
            in each budget that applies; if one has too little left, the run does not start.
          </p>
        </div>
      </div>
      <Budgets money={money.data} isAdmin={isAdmin} />
      {isAdmin ? <SetBudget money={money.data} /> : null}
      {isAdmin ? <ApprovalAbove money={money.data} /> : null}
      <EndedBudgets money={money.data} />
      <Approvals isAdmin={isAdmin} />
      <Spend />
    </div>
  )
}

function Approvals({ isAdmin }: { isAdmin: boolean }) {
  const open = useQuery(approvalsQuery).data ?? []
  const rows = useRowsFocus<HTMLTableSectionElement>()
  if (open.length === 0) return null
  return (
    <section>
      <h2>Starts that wait for an approval</h2>
      <div className="panel">
        <table className="rows" aria-label="Approvals">
          <tbody {...rows}>
            {open.map((approval) => (
              <ApprovalRow key={approval.id} approval={approval} isAdmin={isAdmin} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function ApprovalRow({ approval, isAdmin }: { approval: Approval; isAdmin: boolean }) {
  const now = useNow()
  const nameOf = ownerNames(useOwners())
  const decide = useWrite({
    write: async (approved: boolean) => {
      await call('decideApproval', { params: { approval_id: approval.id }, body: { approved } })
      return approved
    },
    list: approvalsQuery.queryKey,
    done: (approved) => tell(approved ? 'Approved' : 'Declined'),
  })
  return (
    <tr>
      <td>
        {approval.review_comment_id === null ? null : 'A new take in '}
        <Link to="/runs/$run_id" params={{ run_id: approval.run_id }}>
          {approval.graph_name ?? 'A run'}
        </Link>
      </td>
      <td>up to {amountWords(approval.most, approval.currency)}</td>
      <td>{nameOf({ person_id: approval.asked_by })}</td>
      <td className="wide-cell date">{agoWords(approval.asked_at, now)}</td>
      <td className="row-actions">
        {isAdmin ? (
          <Button.Group>
            <Button size="compact-xs" loading={decide.isPending} onClick={() => decide.mutate(true)}>
              Approve
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => decide.mutate(false)}>
              Decline
            </Button>
          </Button.Group>
        ) : (
          'Waits for an admin'
        )}
      </td>
    </tr>
  )
}
