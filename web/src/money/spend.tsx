// In charge of showing the report on spending as a table, and of saving it as a CSV file.
import { amountWords } from '@atelier/contract/money.ts'
import { Button, Select } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { download } from '../lib/download.ts'
import { spendQuery, taskSpendQuery } from '../lib/queries.ts'
import { type SpendBy, type SpendPage, type SpendRows, spendBys, spendCsv } from '../lib/spend-csv.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'

export function Spend() {
  const [by, setBy] = useState<SpendBy>('month')
  const spend = useInfiniteQuery(spendQuery(by))
  const pages = spend.data?.pages ?? []
  const rows = pages.flatMap((page) => page.rows)
  const currency = pages[0]?.currency
  const save = useMutation({ mutationFn: () => everything(by), onError: tellError })
  return (
    <section>
      <h2>Spent</h2>
      <div className="inline-form">
        <Select
          label="By"
          allowDeselect={false}
          data={[...spendBys]}
          value={by}
          onChange={(value) => setBy(spendBys.find((one) => one.value === value)?.value ?? 'month')}
        />
        <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
          Download CSV
        </Button>
      </div>
      {by === 'creative' ? (
        <p className="hint">Creatives share what their runs cost in equal parts, with what nobody chose.</p>
      ) : null}
      {spend.isPending ? <Loading what="what was spent" /> : null}
      {spend.isError ? <Failed error={spend.error} retry={() => void spend.refetch()} /> : null}
      {currency ? <Table spend={{ rows, currency }} /> : null}
      {spend.hasNextPage ? (
        <Button variant="default" size="sm" loading={spend.isFetching} onClick={() => void spend.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </section>
  )
}

/** Downloads a CSV file with all rows of the report, including the rows that the page has not loaded yet. */
async function everything(by: SpendBy): Promise<void> {
  const rows: SpendRows['rows'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: { by: SpendBy; limit: number; cursor?: string } = { by, limit: 1000, ...(cursor && { cursor }) }
    const page: SpendPage = await call('getSpend', { query })
    rows.push(...page.rows)
    cursor = page.next_cursor
    if (cursor === null) download(`spend-by-${by}.csv`, spendCsv({ rows, currency: page.currency }), 'text/csv')
  }
}

function Table({ spend: { rows, currency } }: { spend: SpendRows }) {
  if (rows.length === 0)
    return (
      <Empty icon="product" title="Nothing spent">
        No model was paid.
      </Empty>
    )
  return (
    <div className="panel">
      <table className="rows" aria-label="Spent">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Calls</th>
            <th scope="col">Planned at most</th>
            <th scope="col">Paid</th>
            <th scope="col">At most</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, calls, planned_most, amount, at_most }) => (
            <tr key={key}>
              <td>{name ?? key ?? 'None'}</td>
              <td>{calls}</td>
              <td>{planned_most === null ? 'Not known' : amountWords(planned_most, currency)}</td>
              <td>{amountWords(amount, currency)}</td>
              <td>{amountWords(at_most, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows how much was paid for models in all runs of a task; renders nothing if no model was paid. */
export function TaskSpend({ taskId }: { taskId: string }) {
  const spend = useQuery(taskSpendQuery(taskId)).data
  if (!spend || spend.rows.length === 0) return null
  const sum = (of: 'amount' | 'at_most' | 'calls'): number => spend.rows.reduce((total, row) => total + row[of], 0)
  const [paid, atMost] = [sum('amount'), sum('at_most')]
  return (
    <p className="hint">
      Models were paid {amountWords(paid, spend.currency)} for the runs of this task
      {atMost === paid ? '' : `, ${amountWords(atMost, spend.currency)} at most`} ({sum('calls')}{' '}
      {sum('calls') === 1 ? 'call' : 'calls'}).
    </p>
  )
}
