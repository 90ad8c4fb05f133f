// In charge of what the filter builder offers: the fields of the schema operation, with the operators of each, the labels of
// its values, and a suitable kind of input. Pure.
import type { FilterField, Labelled } from '../lib/types.ts'

/** The text for each operator, in the order of the schema. */
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
  /** The records that ids in a field may refer to, such as people. */
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

/** Operators with a list: the list is typed as text if the field has no known values; otherwise values are selected. */
export const isListOperator = (operator: string): boolean => operator === 'in' || operator === 'notIn'
