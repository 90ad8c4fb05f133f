// In charge of describing a group of filter rules in words, as in “Media type is Image and Priority is at most 2”. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { Offered } from '../board/filter-fields.ts'
import { type Group, isGroup } from '../board/filter-group.ts'

/** The description of a group; an empty text if the group contains no rules, that is, if it selects every task. */
export function ruleWords(group: unknown, fields: readonly Offered[]): string {
  if (!isPlainObject(group) || !Array.isArray(group.rules)) return ''
  const parts = group.rules.map((rule: unknown) => partWords(rule, fields)).filter((words) => words !== '')
  const joined = parts.join(group.combinator === 'or' ? ' or ' : ' and ')
  return group.not === true && joined !== '' ? `not (${joined})` : joined
}

function partWords(rule: unknown, fields: readonly Offered[]): string {
  if (!isPlainObject(rule)) return ''
  if (Array.isArray(rule.rules)) {
    const words = ruleWords(rule, fields)
    return rule.rules.length > 1 ? `(${words})` : words
  }
  const field = fields.find(({ name }) => name === rule.field)
  const operator = field?.operators.find(({ name }) => name === rule.operator)?.label ?? String(rule.operator)
  const values = Array.isArray(rule.value) ? rule.value : [rule.value]
  const labels = values.map((value: unknown) => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (field?.inputType === 'date' && isDay(value)) return `${value}, 00:00 UTC`
    const label = field?.values?.find(({ name }) => name === value)?.label
    // The label of a record's id may not have been read yet; until it has been read, `…` is shown.
    return label ?? (isId(value) ? '…' : String(value ?? ''))
  })
  return `${field?.label ?? String(rule.field)} ${operator}${hasValue(rule) ? ` ${labels.join(', ')}` : ''}`
}

/** Whether a condition compares with a value: “is empty” and “is not empty” do not. */
const hasValue = ({ operator }: Readonly<Record<string, unknown>>): boolean =>
  operator !== 'null' && operator !== 'notNull'

/** Whether a group has a condition about a date and a time for which the form asks for a day. */
export const asksForDay = (group: Group, fields: readonly Offered[]): boolean =>
  group.rules.some((rule) =>
    isGroup(rule)
      ? asksForDay(rule, fields)
      : isPlainObject(rule) &&
        hasValue(rule) &&
        fields.some(({ name, inputType }) => name === rule.field && inputType === 'date'),
  )

/**
 * The service takes a day without a time for its first moment in UTC. For the board, the browser replaces days by the user's own; an
 * automation is for everybody, so that its days stay those of the service.
 */
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

const isId = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
