// In charge of the list of budgets that were ended: what each was, who ended it, and when.
import { amountWords } from '@atelier/contract/money.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { agoWords } from '../lib/dates.ts'
import type { Money } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { ownerNames } from './budget-owners.ts'
import { forWords } from './budgets.tsx'
import { useOwners } from './use-owners.ts'

/** How many are shown at first. */
const shownAtFirst = 5

/** A service of 0.3.0, which may answer during an upgrade, does not send `ended`. */
export function EndedBudgets({ money: { ended = [], currency } }: { money: Partial<Money> & Pick<Money, 'currency'> }) {
  const nameOf = ownerNames(useOwners())
  const now = useNow()
  const [isWhole, setIsWhole] = useState(false)
  const rows = useRowsFocus<HTMLTableSectionElement>()
  if (ended.length === 0) return null
  const shown = isWhole ? ended : ended.slice(0, shownAtFirst)
  return (
    <section>
      <h2>Ended budgets</h2>
      <div className="panel">
        <table className="rows" aria-label="Ended budgets">
          <tbody {...rows}>
            {shown.map((budget) => (
              <tr key={budget.id}>
                <td>
                  {nameOf(budget)} <span className="hint">{forWords(budget)}</span>
                </td>
                <td className="amount">{amountWords(budget.amount, currency)}</td>
                <td className="date">
                  {budget.ended_by === null ? '' : `by ${nameOf({ person_id: budget.ended_by })}, `}
                  {agoWords(budget.ended_at, now)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length < ended.length ? (
          <div className="panel-foot">
            <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
              Show all {ended.length}
            </Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}
