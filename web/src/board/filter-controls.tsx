// In charge of the controls of a filter condition: the controls of the filter library with labels for screen readers added, and a
// searchable list in place of a text field where the possible values are known.
import { ValueEditor, type ValueEditorProps, ValueSelector, type ValueSelectorProps } from 'react-querybuilder'
import { Choice, MultiChoice } from '../ui/choice.tsx'

export function FilterValue(props: ValueEditorProps) {
  const { type, operator, values, value, handleOnChange, title } = props
  if (operator === 'null' || operator === 'notNull' || (type !== 'select' && type !== 'multiselect')) {
    return (
      // biome-ignore lint/a11y/noLabelWithoutControl: the library renders the control inside
      <label>
        <span className="visually-hidden">{title ?? 'Value'}</span>
        <ValueEditor {...props} />
      </label>
    )
  }
  const data = optionsOf(values)
  const common = {
    data,
    searchable: true,
    size: 'xs',
    'aria-label': title ?? 'Value',
    className: 'filter-choice',
  } as const
  if (type === 'multiselect') return <MultiChoice {...common} value={listOf(value)} onChange={handleOnChange} />
  return <Choice {...common} value={typeof value === 'string' ? value : null} onChange={handleOnChange} />
}

const listOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === 'string')
  return typeof value === 'string' && value !== '' ? value.split(',') : []
}

/** Converts the library's options into the form that Mantine needs. Groups of options, which we do not use, are left out. */
const optionsOf = (values: ValueEditorProps['values']): { value: string; label: string }[] =>
  (values ?? []).flatMap((entry) =>
    'name' in entry && entry.name ? [{ value: String(entry.name), label: entry.label }] : [],
  )

/** The library's select, with a label, because screen readers need more than a title. */
export function FilterSelect(props: ValueSelectorProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the library renders the control inside
    <label>
      <span className="visually-hidden">{props.title}</span>
      <ValueSelector {...props} />
    </label>
  )
}
