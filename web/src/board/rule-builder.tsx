// In charge of the form in which users build the conditions of a filter or an automation: a group of rules about fields of tasks.
import { useMemo } from 'react'
import { QueryBuilder, type RuleGroupType } from 'react-querybuilder'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import './filter-builder.css'
import { FilterSelect, FilterValue } from './filter-controls.tsx'
import { isListOperator, type Offered } from './filter-fields.ts'
import { readFilter } from './search-params.ts'

const controls = {
  valueEditor: FilterValue,
  fieldSelector: FilterSelect,
  operatorSelector: FilterSelect,
  combinatorSelector: FilterSelect,
}

/** Hidden from screen readers, which then read the title of the button instead of the cross. */
const cross = <span aria-hidden="true">✕</span>

export const noRules: RuleGroupType = { combinator: 'and', rules: [] }

/** Parses a JSON text into the group of rules that the builder needs; null if the text is missing or is not such a group. */
export const parsedGroup = (text: string | undefined): RuleGroupType | null =>
  text !== undefined && readFilter(text) ? JSON.parse(text) : null

type Props = { fields: readonly Offered[]; group: RuleGroupType; change: (group: RuleGroupType) => void }

export function RuleBuilder({ fields, group, change }: Props) {
  const withLists = useMemo(
    () =>
      fields.map((field) => ({
        ...field,
        valueEditorType: (operator: string) =>
          field.valueEditorType === 'select' && isListOperator(operator)
            ? ('multiselect' as const)
            : field.valueEditorType,
      })),
    [fields],
  )
  // A pressed button that removes a condition disappears with it: the one that is then in its place gets the focus.
  const removers = useRowsFocus<HTMLDivElement>({
    rows: '.rule-remove, .ruleGroup-remove',
    orElse: '.filter-builder .ruleGroup-addRule',
  })
  return (
    <div className="filter-builder" {...removers}>
      <QueryBuilder
        fields={withLists}
        query={group}
        onQueryChange={change}
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
          removeRule: { label: cross, title: 'Remove condition' },
          removeGroup: { label: cross, title: 'Remove group' },
        }}
      />
    </div>
  )
}
