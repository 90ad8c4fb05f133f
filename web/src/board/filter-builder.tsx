// In charge of building a filter by hand, on the fields the service offers. It is tried against the service before it is
// applied, so that what it refuses is told here.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { QueryBuilder, type RuleGroupType } from 'react-querybuilder'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { useBoard } from './board-context.ts'
import './filter-builder.css'
import { FilterSelect, FilterValue } from './filter-controls.tsx'
import { isListOperator, offered } from './filter-fields.ts'
import { countRules, filterText, readFilter } from './search-params.ts'
import { useSetSearch } from './use-set-search.ts'

const controls = {
  valueEditor: FilterValue,
  fieldSelector: FilterSelect,
  operatorSelector: FilterSelect,
  combinatorSelector: FilterSelect,
}

const nothing: RuleGroupType = { combinator: 'and', rules: [] }

export function FilterBuilder({ close }: { close: () => void }) {
  const { search, schema, people, products } = useBoard()
  const setSearch = useSetSearch()
  const [group, setGroup] = useState<RuleGroupType>(() => parsedGroup(search.filter) ?? nothing)
  const fields = useMemo(() => {
    const persons = [...people.values()].map(({ id, name }) => ({ value: id, label: name ?? 'Unnamed' }))
    const references = {
      assignee_id: persons,
      task_owner_id: persons,
      product_id: [...products.values()].map(({ id, name }) => ({ value: id, label: name })),
    }
    return offered(schema.filter_fields, { vocabularies: schema.vocabularies, references }).map((field) => ({
      ...field,
      valueEditorType: (operator: string) =>
        field.valueEditorType === 'select' && isListOperator(operator)
          ? ('multiselect' as const)
          : field.valueEditorType,
    }))
  }, [schema, people, products])
  const count = countRules(group)
  const apply = useMutation({
    mutationFn: async () => {
      const filter = count === 0 ? '' : filterText(group)
      if (filter !== '') await call('tasksBoard', { query: { query: filter, limit: 1 } })
      return filter
    },
    onSuccess: (filter) => {
      setSearch({ filter })
      close()
    },
  })
  return (
    <div className="filter-builder">
      <QueryBuilder
        fields={fields}
        query={group}
        onQueryChange={setGroup}
        resetOnFieldChange
        listsAsArrays
        addRuleToNewGroups
        combinators={[
          { name: 'and', label: 'all of these' },
          { name: 'or', label: 'any of these' },
        ]}
        controlElements={controls}
        translations={{
          combinators: { title: 'Match' },
          addRule: { label: 'Add condition', title: 'Add condition' },
          addGroup: { label: 'Add group', title: 'Add group' },
          removeRule: { label: '✕', title: 'Remove condition' },
          removeGroup: { label: '✕', title: 'Remove group' },
        }}
      />
      {count === 0 ? (
        <p className="filter-hint">No conditions yet: every task is shown. Add one to narrow the board.</p>
      ) : null}
      {apply.isError ? (
        <p className="filter-problem" role="alert">
          {wordsOf(apply.error)}
        </p>
      ) : null}
      <div className="dialog-foot">
        <Button variant="subtle" onClick={() => setGroup(nothing)} disabled={count === 0}>
          Clear
        </Button>
        <Button onClick={() => apply.mutate()} loading={apply.isPending}>
          Show tasks
        </Button>
      </div>
    </div>
  )
}

/** The group of an address in the builder's own type. */
function parsedGroup(filter: string | undefined): RuleGroupType | null {
  return filter !== undefined && readFilter(filter) ? JSON.parse(filter) : null
}
