// In charge of the money page: it shows how much of each budget is used, the starts that wait for an approval, and the spending.

import { amountWords } from '@atelier/contract/money.ts'
import { Button, Select } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { approvalsQuery, callerQuery, moneyQuery, peopleQuery, sumsMs, tokensQuery } from '../lib/queries.ts'
import type { Approval, Budget, Money } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useWrite } from '../ui/use-write.ts'
import '../ui/people.css'
import { AmountField } from './amount-field.tsx'
import { ApprovalAbove } from './approval-above.tsx'
import { ownerChoices, ownerNames } from './budget-owners.ts'
import { microsOf } from './micros.ts'
import { Spend } from './spend.tsx'

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
            What providers of models are paid. A start holds the most of its plan in each budget that applies, and does
            not begin where one has not enough left.
          </p>
        </div>
      </div>
      <Budgets money={money.data} isAdmin={isAdmin} />
      {isAdmin ? <SetBudget currency={money.data.currency} /> : null}
      {isAdmin ? <ApprovalAbove money={money.data} /> : null}
      <Approvals isAdmin={isAdmin} />
      <Spend />
    </div>
  )
}

/** Text such as `by Ada Holm, 2 h ago; was USD 40.00`. */
function setWords(budget: Budget, nameOf: ReturnType<typeof ownerNames>, currency: string, now: number): string {
  const { set_by, set_at, amount, amount_before } = budget
  const by = set_by === null ? '' : `by ${nameOf({ person_id: set_by })}, `
  const was = amount_before === null || amount_before === amount ? '' : `; was ${amountWords(amount_before, currency)}`
  return `${by}${agoWords(set_at, now)}${was}`
}

/** By the rule of the service: money counts in the month in which its run was started. */
const monthHint =
  'A budget of each month counts what runs cost that were started in it, by UTC, also if they end in the next one.'

function Budgets({ money, isAdmin }: { money: Money; isAdmin: boolean }) {
  const nameOf = ownerNames(useOwners())
  const now = useNow()
  const rows = useRowsFocus<HTMLTableSectionElement>()
  const end = useWrite({
    write: (budget_id: string) => call('deleteBudget', { params: { budget_id } }),
    list: moneyQuery.queryKey,
  })
  if (money.budgets.length === 0)
    return (
      <Empty icon="product" title="No budgets">
        {money.approval_above === null
          ? 'Nothing stops what runs may cost.'
          : `Starts that may cost more than ${amountWords(money.approval_above, money.currency)} wait for an approval; nothing else stops what runs may cost.`}
      </Empty>
    )
  const forWords = ({ period }: Budget): string => (period === 'month' ? 'Each month' : 'All time')
  const words = (micros: number): string => amountWords(micros, money.currency)
  return (
    <div className="panel">
      <table className="rows" aria-label="Budgets">
        <thead>
          <tr>
            <th scope="col">Of</th>
            <th scope="col">For</th>
            <th scope="col">Budget</th>
            <th scope="col" className="wide-cell">
              Spent
            </th>
            <th scope="col" className="wide-cell">
              Held by runs
            </th>
            <th scope="col">Left</th>
            <th scope="col" className="wide-cell">
              Set
            </th>
            {isAdmin ? (
              <th scope="col">
                <span className="visually-hidden">End it</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody {...rows}>
          {money.budgets.map((budget) => (
            <tr key={budget.id}>
              <td>{nameOf(budget)}</td>
              <td>{forWords(budget)}</td>
              <td>{words(budget.amount)}</td>
              <td className="wide-cell">{words(budget.spent)}</td>
              <td className="wide-cell">{words(budget.held)}</td>
              <td>{words(Math.max(budget.amount - budget.spent - budget.held, 0))}</td>
              <td className="wide-cell date">{setWords(budget, nameOf, money.currency, now)}</td>
              {isAdmin ? (
                <td className="row-actions">
                  <SureButton
                    words="End"
                    sureWords="Really end"
                    label={`End the budget of ${nameOf(budget)}: ${forWords(budget)}`}
                    isPending={end.isPending && end.variables === budget.id}
                    act={() => end.mutate(budget.id)}
                  />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {money.budgets.some(({ period }) => period === 'month') ? <p className="hint">{monthHint}</p> : null}
    </div>
  )
}

/** The people, and the tokens that the user may read: an admin all of them. */
const useOwners = () => ({ people: useQuery(peopleQuery).data ?? [], tokens: useQuery(tokensQuery).data ?? [] })

function SetBudget({ currency }: { currency: string }) {
  const owners = useOwners()
  const [person, setPerson] = useState<string | null>(null)
  const [period, setPeriod] = useState<'month' | 'always'>('month')
  const [amount, setAmount] = useState('')
  const micros = microsOf(amount)
  const set = useWrite({
    write: (amount: number) => call('setBudget', { body: { person_id: person, period, amount } }),
    list: moneyQuery.queryKey,
  })
  // What the user has typed meanwhile, for the next budget, stays.
  const submit = () => {
    if (micros !== null) set.mutate(micros, { onSuccess: () => setAmount((now) => (now === amount ? '' : now)) })
  }
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Select
        label="Budget of"
        placeholder="Everybody"
        clearable
        searchable
        data={ownerChoices(owners)}
        value={person}
        onChange={setPerson}
      />
      <Select
        label="For"
        allowDeselect={false}
        data={[
          { value: 'month', label: 'Each month' },
          { value: 'always', label: 'All time' },
        ]}
        value={period}
        onChange={(value) => setPeriod(value === 'always' ? 'always' : 'month')}
      />
      <AmountField label="Amount" currency={currency} text={amount} write={setAmount} />
      <Button type="submit" size="sm" disabled={micros === null} loading={set.isPending}>
        Set budget
      </Button>
    </form>
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
    write: (approved: boolean) => call('decideApproval', { params: { approval_id: approval.id }, body: { approved } }),
    list: approvalsQuery.queryKey,
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
