// In charge of the table of budgets: how much of each is spent, who set it, and ending it. An installation may have one for each person,
// so a long table begins with some of them, and finds the others by name.
import { amountWords } from '@atelier/contract/money.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { moneyQuery } from '../lib/queries.ts'
import type { Budget, Money } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Empty } from '../ui/states.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { tell } from '../ui/toasts.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useWrite } from '../ui/use-write.ts'
import { ownerNames, sortedBudgets } from './budget-owners.ts'
import { useOwners } from './use-owners.ts'

export const forWords = ({ period }: Pick<Budget, 'period'>): string => (period === 'month' ? 'Each month' : 'All time')

/** How many budgets a long table shows at first. */
const shownAtFirst = 20

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

export function Budgets({ money, isAdmin }: { money: Money; isAdmin: boolean }) {
  const nameOf = ownerNames(useOwners())
  const now = useNow()
  const [isWhole, setIsWhole] = useState(false)
  const [wanted, setWanted] = useState('')
  const rows = useRowsFocus<HTMLTableSectionElement>()
  const end = useWrite({
    write: async (budget: Budget) => {
      await call('deleteBudget', { params: { budget_id: budget.id } })
      return budget
    },
    list: moneyQuery.queryKey,
    done: (budget) => tell(`Ended: the budget of ${nameOf(budget)}, ${forWords(budget).toLowerCase()}`),
  })
  if (money.budgets.length === 0)
    return (
      <Empty icon="product" title="No budgets">
        {money.approval_above === null
          ? 'Nothing stops what runs may cost.'
          : `Starts that may cost more than ${amountWords(money.approval_above, money.currency)} wait for an approval; nothing else stops what runs may cost.`}
      </Empty>
    )
  const words = (micros: number): string => amountWords(micros, money.currency)
  const isLong = money.budgets.length > shownAtFirst
  const found = sortedBudgets(money.budgets, nameOf, wanted)
  const shown = isWhole ? found : found.slice(0, shownAtFirst)
  return (
    <div className="panel">
      {isLong ? (
        <TextInput
          size="xs"
          className="find-budget"
          aria-label="Find a budget by name"
          placeholder="Find a budget by name"
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      ) : null}
      <table className="rows" aria-label="Budgets">
        <thead>
          <tr>
            <th scope="col">Of</th>
            <th scope="col" className="wide-cell">
              For
            </th>
            <th scope="col" className="wide-cell">
              Budget
            </th>
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
          {shown.map((budget) => (
            <tr key={budget.id}>
              <td>
                {nameOf(budget)} <span className="narrow-only hint">{forWords(budget)}</span>
              </td>
              <td className="wide-cell amount">{forWords(budget)}</td>
              <td className="wide-cell amount">{words(budget.amount)}</td>
              <td className="wide-cell amount">{words(budget.spent)}</td>
              <td className="wide-cell amount">{words(budget.held)}</td>
              <td className="amount">
                {words(Math.max(budget.amount - budget.spent - budget.held, 0))}
                <span className="narrow-only hint">of {words(budget.amount)}</span>
              </td>
              <td className="wide-cell date">{setWords(budget, nameOf, money.currency, now)}</td>
              {isAdmin ? (
                <td className="row-actions">
                  <SureButton
                    words="End"
                    sureWords="Really end"
                    label={`End the budget of ${nameOf(budget)}: ${forWords(budget)}`}
                    isPending={end.isPending && end.variables.id === budget.id}
                    act={() => end.mutate(budget)}
                  />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="panel-foot">
        {found.length === 0 ? <p className="hint">None has that in its name.</p> : null}
        {shown.length < found.length ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
            Show all {found.length}
          </Button>
        ) : null}
        {money.budgets.some(({ period }) => period === 'month') ? <p className="hint">{monthHint}</p> : null}
      </div>
    </div>
  )
}
