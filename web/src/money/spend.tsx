// In charge of showing the report on spending as a table, and of saving it as a CSV file.
import { amountWords } from '@atelier/contract/money.ts'
import { Button, Select } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { download } from '../lib/download.ts'
import { spendQuery, sumsMs, taskSpendQuery } from '../lib/queries.ts'
import { type SpendBy, type SpendPage, type SpendRows, spendBys, spendCsv } from '../lib/spend-csv.ts'
import { firstDay, type SpendPeriod, spendPeriods } from '../lib/spend-periods.ts'
import { useNow } from '../lib/use-now.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'

/** All time is not shown at first, because the service then has to sum up every call that was ever paid. */
const firstPeriod: SpendPeriod = 'year'

export function Spend() {
  const [by, setBy] = useState<SpendBy>('month')
  const [period, setPeriod] = useState<SpendPeriod>(firstPeriod)
  const from = firstDay(period, useNow())
  const spend = useInfiniteQuery({ ...spendQuery(by, from), refetchInterval: sumsMs })
  const pages = spend.data?.pages ?? []
  const rows = pages.flatMap((page) => page.rows)
  const currency = pages[0]?.currency
  const save = useMutation({ mutationFn: () => everything(by, from), onError: tellError })
  return (
    <section>
      <h2>Spent</h2>
      <div className="inline-form">
        <Select
          label="By"
          data={[...spendBys]}
          value={by}
          onChange={(value) => setBy(spendBys.find((one) => one.value === value)?.value ?? 'month')}
        />
        <Select
          label="Period"
          data={[...spendPeriods]}
          value={period}
          onChange={(value) => setPeriod(spendPeriods.find((one) => one.value === value)?.value ?? firstPeriod)}
        />
        <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
          Download CSV
        </Button>
      </div>
      {from === null ? null : <p className="hint">Calls of models from {from} on, in UTC.</p>}
      {by === 'creative' ? (
        <p className="hint">Creatives share what their runs cost in equal parts, with what nobody chose.</p>
      ) : null}
      {spend.isPending ? <Loading what="what was spent" /> : null}
      {spend.isError ? <Failed error={spend.error} retry={() => void spend.refetch()} /> : null}
      {currency ? <Table {...{ by, rows, currency }} isAllTime={from === null} /> : null}
      {spend.hasNextPage ? (
        <Button variant="default" size="sm" loading={spend.isFetching} onClick={() => void spend.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </section>
  )
}

/** Downloads a CSV file with all rows of the report, including the rows that the page has not loaded yet. */
async function everything(by: SpendBy, from: string | null): Promise<void> {
  const rows: SpendRows['rows'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: SpendPage = await call('getSpend', {
      query: { by, limit: 1000, ...(from !== null && { from }), ...(cursor && { cursor }) },
    })
    rows.push(...page.rows)
    cursor = page.next_cursor
    const name = `spend-by-${by}${from === null ? '' : `-from-${from}`}.csv`
    if (cursor === null) download(name, spendCsv({ rows, currency: page.currency }), 'text/csv')
  }
}

type TableProps = SpendRows & { by: SpendBy; isAllTime: boolean }

function Table({ by, rows, currency, isAllTime }: TableProps) {
  if (rows.length === 0)
    return (
      <Empty icon="product" title="Nothing spent">
        {isAllTime ? 'No model was paid.' : 'No model was paid in this period.'}
      </Empty>
    )
  return (
    <div className="panel">
      <table className="rows" aria-label="Spent">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Calls</th>
            <th scope="col" className="wide-cell">
              Planned at most
            </th>
            <th scope="col">Paid</th>
            <th scope="col">At most</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { key, name, calls, amount, at_most } = row
            const planned = plannedWords(row, currency)
            return (
              <tr key={key}>
                <td>
                  <What by={by} id={key} name={name} />
                  <span className="narrow-only hint">Planned at most: {planned}</span>
                </td>
                <td>{calls}</td>
                <td className="wide-cell amount">{planned}</td>
                <td className="amount">{amountWords(amount, currency)}</td>
                <td className="amount">{amountWords(at_most, currency)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

type Row = SpendPage['rows'][number]
/** While the service is being updated, an answer may come from a process of version 0.3.0, which does not have the last two. */
type Planned = Pick<Row, 'calls' | 'planned_most'> & Partial<Pick<Row, 'planned_known' | 'calls_unplanned'>>

/** What the calls of a row were to cost at most, and of how many of them nobody could say it. */
function plannedWords({ calls, planned_most, planned_known, calls_unplanned }: Planned, currency: string): string {
  if (planned_most !== null) return amountWords(planned_most, currency)
  if (planned_known === undefined || calls_unplanned === undefined || calls_unplanned === calls) return 'Not known'
  return `${amountWords(planned_known, currency)}, and ${calls_unplanned} ${calls_unplanned === 1 ? 'call' : 'calls'} not known`
}

/** The name of a row, which leads to the run or task that it is about. A purged one has no name, and nothing to be led to. */
function What({ by, id, name }: { by: SpendBy; id: string | null; name: string | null }) {
  if (id === null || name === null) return name ?? id ?? 'None'
  if (by === 'task')
    return (
      <Link to="/tasks/$task_id" params={{ task_id: id }}>
        {name}
      </Link>
    )
  if (by !== 'run') return name
  return (
    <>
      <Link to="/runs/$run_id" params={{ run_id: id }}>
        {name}
      </Link>{' '}
      {/* Runs of one graph have one name. */}
      <span className="hint">{id.slice(-8)}</span>
    </>
  )
}

/** Shows how much was paid for models in all runs of a task; renders nothing if no model was paid. */
export function TaskSpend({ taskId }: { taskId: string }) {
  const spend = useQuery({ ...taskSpendQuery(taskId), refetchInterval: sumsMs }).data
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
