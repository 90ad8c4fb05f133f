// In charge of the cells of the table of variants: each is edited in place and saved when the user leaves it.
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Labelled } from '../lib/types.ts'
import { isCommand } from '../ui/keys.ts'
import { FieldNote } from './field-note.tsx'
import { type Field, useField } from './use-field.ts'

type CellProps = {
  /** The key under which unsaved text of the cell is kept. */
  name: string
  label: string
  disabled: boolean
  save: (value: string | null) => Promise<void>
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns the text that the change has for the member `name`; null if the change empties the member. */
const textIn = (change: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = change[name]
  return isText(value) ? value : null
}

const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)

/** Props of text cells and choice cells. `data-cell` names the column: arrow keys move to the same column of another row. */
const common = <T,>({ label, disabled }: CellProps, field: Field<T>, column: string, words: (value: T) => string) => ({
  'aria-label': label,
  'data-cell': column,
  size: 'xs' as const,
  variant: 'unstyled',
  classNames: { input: 'cell' },
  disabled,
  error: field.error,
  inputContainer: (input: ReactNode) => (
    <>
      {input}
      <FieldNote field={field} words={words} />
    </>
  ),
})

type TextCellProps = CellProps & {
  column: string
  value: string | null
  maxLength: number
  /** True if the cell must not be empty. */
  required?: boolean
  placeholder?: string
}

export function TextCell({ column, value, maxLength, required = false, placeholder, ...props }: TextCellProps) {
  const field = useField(props.name, value ?? '', (change) => props.save(textIn(change, props.name)), {
    toWire: (text) => (text.trim() === '' && !required ? null : text.trim()),
    isValue: isText,
    isPart: true,
  })
  return (
    <TextInput
      {...common(props, field, column, (text) => text)}
      maxLength={maxLength}
      placeholder={placeholder ?? ''}
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => (required && field.draft.trim() === '' ? field.reset() : field.commit(field.draft))}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isCommand(event)) field.reset()
      }}
    />
  )
}

type ChoiceCellProps = CellProps & { column: string; value: string | null; options: readonly Labelled[] }

/** A native select is fast even with hundreds of cells, and works with keyboard and touch. */
export function ChoiceCell({ column, value, options, ...props }: ChoiceCellProps) {
  const field = useField(props.name, value, (change) => props.save(textIn(change, props.name)), {
    toWire: (choice) => choice,
    isValue: isTextOrNull,
    isPart: true,
  })
  const labelOf = (choice: string | null) => options.find((option) => option.value === choice)?.label ?? choice ?? ''
  const gone = value !== null && !options.some((option) => option.value === value)
  return (
    <NativeSelect
      {...common(props, field, column, labelOf)}
      data={[
        { value: '', label: 'As the task' },
        ...options.map((option) => ({ value: option.value, label: option.label })),
        ...(gone ? [{ value, label: value }] : []),
      ]}
      data-empty={field.draft === null || undefined}
      value={field.draft ?? ''}
      onChange={(event) => field.commit(event.currentTarget.value || null)}
    />
  )
}
