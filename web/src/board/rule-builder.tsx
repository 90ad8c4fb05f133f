// In charge of the form in which users build the conditions of a filter or an automation: a group of rules about fields of tasks.
import { type FocusEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { QueryBuilder, type RuleGroupType } from 'react-querybuilder'
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
  return (
    <div className="filter-builder" {...useRemovedFocus()}>
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

const removers = '.rule-remove, .ruleGroup-remove'

/**
 * Returns the props of the element around the conditions. A pressed button that removes a condition or group disappears with it: the
 * button that is then in its place gets the focus, or the button that adds a condition if there is none.
 */
function useRemovedFocus() {
  const place = useRef<HTMLDivElement>(null)
  /** The button that was focused last, and its place among all such buttons. */
  const held = useRef<{ button: Element; at: number } | null>(null)
  useLayoutEffect(() => {
    if (held.current === null || held.current.button.isConnected) return
    const { at } = held.current
    held.current = null
    if (document.activeElement !== document.body) return
    const left = [...(place.current?.querySelectorAll<HTMLElement>(removers) ?? [])]
    const next = left[at] ?? left.at(-1) ?? place.current?.querySelector<HTMLElement>('.ruleGroup-addRule')
    next?.focus()
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLDivElement>) => {
    held.current = target.matches(removers)
      ? { button: target, at: [...currentTarget.querySelectorAll(removers)].indexOf(target) }
      : null
  }
  return { ref: place, onFocus }
}
