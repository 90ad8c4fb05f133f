// In charge of converting the fields that the service can filter by into those of the filter builder: each with its operators, the
// labels of its values, and a suitable kind of input. Pure.
import type { FilterField, Labelled } from '../lib/types.ts'

/** The words that the filter builder shows for each operator. */
const operatorWords: Record<string, string> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is below',
  '>': 'is above',
  '<=': 'is at most',
  '>=': 'is at least',
  contains: 'contains',
  beginsWith: 'begins with',
  endsWith: 'ends with',
  doesNotContain: 'does not contain',
  doesNotBeginWith: 'does not begin with',
  doesNotEndWith: 'does not end with',
  null: 'is empty',
  notNull: 'is not empty',
  in: 'is one of',
  notIn: 'is none of',
  between: 'is between',
  notBetween: 'is not between',
}
const dateWords: Record<string, string> = { '<': 'is before', '>': 'is after', '<=': 'is until', '>=': 'is from' }

export type Offered = {
  name: string
  label: string
  operators: { name: string; label: string }[]
  values?: { name: string; label: string }[]
  valueEditorType: 'text' | 'select' | 'checkbox'
  inputType: 'text' | 'number' | 'date'
  defaultValue?: string | boolean
}

type Sources = {
  vocabularies: Readonly<Record<string, readonly Labelled[]>>
  /** For fields that contain ids, by field name: all ids that the field may contain, each with a name, such as that of a user. */
  references: Readonly<Record<string, readonly Labelled[]>>
}

export function offered(fields: readonly FilterField[], { vocabularies, references }: Sources): Offered[] {
  return fields.map((field) => {
    const known = field.values ?? (field.vocabulary ? vocabularies[field.vocabulary] : references[field.name])
    const words = field.type === 'datetime' ? { ...operatorWords, ...dateWords } : operatorWords
    const operators = field.operators.map((name) => ({ name, label: words[name] ?? name }))
    const base = { name: field.name, label: field.label, operators }
    if (field.type === 'boolean') {
      return { ...base, valueEditorType: 'checkbox', inputType: 'text', defaultValue: false }
    }
    if (known) {
      const values = known.map(({ value, label }) => ({ name: value, label }))
      return { ...base, values, valueEditorType: 'select', inputType: 'text', defaultValue: values[0]?.name ?? '' }
    }
    return { ...base, valueEditorType: 'text', inputType: inputTypes[field.type] ?? 'text', defaultValue: '' }
  })
}

const inputTypes: Record<string, 'text' | 'number' | 'date'> = { integer: 'number', number: 'number', datetime: 'date' }

/** The names of the fields that contain a date and a time. */
export const timeFields = (fields: readonly FilterField[]): ReadonlySet<string> =>
  new Set(fields.filter(({ type }) => type === 'datetime').map(({ name }) => name))

/** Whether the operator compares a field with several values; users select them from a list, or type them separated by commas. */
export const isListOperator = (operator: string): boolean => operator === 'in' || operator === 'notIn'
