// In charge of the form that sets a budget. Where there is one already, it says what it is and that it is replaced; and if somebody has
// set it since that was said, it says so and does not replace it.
import { amountWords } from '@atelier/contract/money.ts'
import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { moneyQuery } from '../lib/queries.ts'
import type { Budget, Money } from '../lib/types.ts'
import { Choice } from '../ui/choice.tsx'
import { tell } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { AmountField } from './amount-field.tsx'
import { ownerChoices } from './budget-owners.ts'
import { microsOf } from './micros.ts'
import { useOwners } from './use-owners.ts'

type Chosen = Pick<Budget, 'person_id' | 'period'>

export function SetBudget({ money: { budgets, currency } }: { money: Money }) {
  const client = useQueryClient()
  const owners = useOwners()
  const [choice, setChoice] = useState<Chosen>({ person_id: null, period: 'month' })
  const [amount, setAmount] = useState('')
  const micros = microsOf(amount)
  const present = budgetOf(budgets, choice)
  const set = useWrite({
    write: async (amount: number) => {
      const now = await client.fetchQuery({ ...moneyQuery, staleTime: 0 })
      if (budgetOf(now.budgets, choice)?.set_at !== present?.set_at) throw new ChangedMeanwhile()
      return call('setBudget', { body: { ...choice, amount } })
    },
    list: moneyQuery.queryKey,
    done: ({ amount }) => tell(`Budget set: ${amountWords(amount, currency)}`),
  })
  // What the user has typed meanwhile, for the next budget, stays.
  const submit = () => {
    if (micros !== null && !set.isPending)
      set.mutate(micros, { onSuccess: () => setAmount((now) => (now === amount ? '' : now)) })
  }
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Choice
        label="Budget of"
        placeholder="Everybody"
        clearable
        searchable
        data={ownerChoices(owners)}
        value={choice.person_id}
        onChange={(person_id) => setChoice({ ...choice, person_id })}
      />
      <Select
        label="For"
        data={[
          { value: 'month', label: 'Each month' },
          { value: 'always', label: 'All time' },
        ]}
        value={choice.period}
        onChange={(value) => setChoice({ ...choice, period: value === 'always' ? 'always' : 'month' })}
      />
      <AmountField
        label="Amount"
        currency={currency}
        text={amount}
        write={setAmount}
        hint={present ? `Replaces ${amountWords(present.amount, currency)}.` : ''}
      />
      <Button type="submit" size="sm" disabled={micros === null} loading={set.isPending}>
        {present ? 'Replace budget' : 'Set budget'}
      </Button>
    </form>
  )
}

const budgetOf = (budgets: readonly Budget[], { person_id, period }: Chosen): Budget | undefined =>
  budgets.find((one) => one.person_id === person_id && one.period === period)
