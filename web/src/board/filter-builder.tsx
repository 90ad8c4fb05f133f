// In charge of the dialog in which a user builds a filter for the board. A filter is checked before it is applied, most of it by the
// service, so that the dialog can show what is wrong with it.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RuleGroupType } from 'react-querybuilder'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/states.tsx'
import { useBoard } from './board-context.ts'
import { timeFields } from './filter-fields.ts'
import { limitExceeded } from './filter-limits.ts'
import { noRules, parsedGroup, RuleBuilder } from './rule-builder.tsx'
import { countRules, feedParams, filterText } from './search-params.ts'
import { useFilterFields } from './use-filter-fields.ts'
import { useSetSearch } from './use-set-search.ts'

export function FilterBuilder({ title, close }: { title: string; close: () => void }) {
  return (
    <Dialog onClose={close} title={title} size="xl" centered={false}>
      <FilterForm close={close} />
    </Dialog>
  )
}

function FilterForm({ close }: { close: () => void }) {
  const { search, schema } = useBoard()
  const setSearch = useSetSearch()
  const [group, setGroup] = useState<RuleGroupType>(() => parsedGroup(search.filter) ?? noRules)
  const fields = useFilterFields()
  const count = countRules(group)
  const apply = useMutation({
    mutationFn: async () => {
      const filter = count === 0 ? '' : filterText(group)
      if (filter === '') return filter
      const params = feedParams({ filter }, [], timeFields(schema.filter_fields))
      const exceeded = limitExceeded(params)
      if (exceeded !== null) throw new Error(exceeded)
      await call('tasksBoard', { query: { ...params, limit: 1 } })
      return filter
    },
    onSuccess: (filter) => {
      setSearch({ filter })
      close()
    },
  })
  if (!fields) return <Loading what="the fields" />
  return (
    <>
      <RuleBuilder fields={fields} group={group} change={setGroup} />
      {count === 0 ? (
        <p className="filter-hint">No conditions yet: every task is shown. Add one to narrow the board.</p>
      ) : null}
      {apply.isError ? (
        <p className="filter-problem" role="alert">
          {wordsOf(apply.error)}
        </p>
      ) : null}
      <div className="dialog-foot">
        <Button variant="subtle" onClick={() => setGroup(noRules)} disabled={count === 0}>
          Clear
        </Button>
        <Button onClick={() => apply.mutate()} loading={apply.isPending}>
          Show tasks
        </Button>
      </div>
    </>
  )
}
