// In charge of what was spent on what: a table, and the same as CSV.
import { amountWords } from '@atelier/contract/money.ts'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { spendQuery } from '../lib/queries.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { type SpendBy, spendBys, spendCsv } from './spend-csv.ts'

export function Spend() {
  const [by, setBy] = useState<SpendBy>('month')
  const spend = useQuery(spendQuery(by))
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
        <Button
          component="a"
          variant="default"
          size="sm"
          disabled={!spend.data}
          download={`spend-by-${by}.csv`}
          href={spend.data ? `data:text/csv;charset=utf-8,${encodeURIComponent(spendCsv(spend.data))}` : undefined}
        >
          Download CSV
        </Button>
      </div>
      {spend.isPending ? <Loading what="what was spent" /> : null}
      {spend.isError ? <Failed error={spend.error} retry={() => void spend.refetch()} /> : null}
      {spend.data ? <Table spend={spend.data} /> : null}
    </section>
  )
}

function Table({ spend: { rows, currency, whole } }: { spend: Parameters<typeof spendCsv>[0] }) {
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
      {whole ? null : <p className="hint">There are more.</p>}
    </div>
  )
}
