// In charge of one member of a task in place: the input that fits its kind, saved when one leaves it.
import { Loader, MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { fromLocalInput, toLocalInput } from '../lib/dates.ts'
import type { Labelled } from '../lib/types.ts'
import type { FieldSpec } from './field-list.ts'
import { useField } from './use-field.ts'
import type { Save } from './use-task-edit.ts'

type FieldProps = {
  spec: FieldSpec
  label: string
  value: unknown
  options: readonly Labelled[]
  save: Save
  disabled: boolean
}

/** What every input takes alike. */
function useCommon(
  { spec, label, disabled }: FieldProps,
  { error, saving }: { error: string | null; saving: boolean },
) {
  return {
    label,
    disabled,
    error,
    ...(spec.help ? { description: spec.help } : {}),
    ...(saving ? { rightSection: <Loader size={12} /> } : {}),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const textOf = (value: unknown): string => (isText(value) ? value : '')
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])
const emptyToNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export function TaskField(props: FieldProps) {
  switch (props.spec.kind) {
    case 'text':
      return <LineField {...props} />
    case 'long':
      return <LongField {...props} />
    case 'json':
      return <JsonField {...props} />
    case 'integer':
      return <IntegerField {...props} />
    case 'time':
      return <TimeField {...props} />
    case 'flag':
      return <FlagField {...props} />
    case 'texts':
      return <TextsField {...props} />
    case 'choices':
      return <ChoicesField {...props} />
    case 'choice':
    case 'person':
    case 'product':
    case 'test':
      return <ChoiceField {...props} />
  }
}

function LineField(props: FieldProps) {
  const field = useField(props.spec.name, textOf(props.value), props.save, emptyToNull)
  return (
    <TextInput
      {...useCommon(props, field)}
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => field.commit(field.draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') field.commit(field.draft)
        if (event.key === 'Escape') field.reset()
      }}
    />
  )
}

function LongField(props: FieldProps) {
  const field = useField(props.spec.name, textOf(props.value), props.save, (text) => (text === '' ? null : text))
  return (
    <Textarea
      {...useCommon(props, field)}
      autosize
      minRows={2}
      maxRows={12}
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => field.commit(field.draft)}
    />
  )
}

function JsonField(props: FieldProps) {
  const shown = props.value === null || props.value === undefined ? '' : JSON.stringify(props.value, null, 2)
  // What is no JSON is kept as the text it is, so that a plain address needs no quotes.
  const field = useField(props.spec.name, shown, props.save, (text) => (text.trim() === '' ? null : parsedOr(text)))
  return (
    <Textarea
      {...useCommon(props, field)}
      autosize
      minRows={1}
      maxRows={12}
      classNames={{ input: 'mono' }}
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => field.commit(field.draft)}
    />
  )
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function IntegerField(props: FieldProps) {
  const { min, max, name } = props.spec
  const given: number | string = typeof props.value === 'number' ? props.value : ''
  const field = useField(name, given, props.save, (draft) => (draft === '' ? null : Number(draft)))
  return (
    <NumberInput
      {...useCommon(props, field)}
      allowDecimal={false}
      hideControls
      // What is out of bounds is told by the service, not silently made another number.
      clampBehavior="none"
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      value={field.draft}
      onChange={field.setDraft}
      onBlur={() => field.commit(field.draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') field.commit(field.draft)
      }}
    />
  )
}

function TimeField(props: FieldProps) {
  const shown = toLocalInput(isText(props.value) ? props.value : null)
  const field = useField(props.spec.name, shown, props.save, fromLocalInput)
  return (
    <TextInput
      {...useCommon(props, field)}
      type="datetime-local"
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => field.commit(field.draft)}
    />
  )
}

function FlagField(props: FieldProps) {
  const field = useField(props.spec.name, props.value === true, props.save, (on) => on)
  return (
    <Switch
      label={props.label}
      description={props.spec.help}
      disabled={props.disabled || field.saving}
      error={field.error}
      checked={field.draft}
      onChange={(event) => field.commit(event.currentTarget.checked)}
    />
  )
}

function TextsField(props: FieldProps) {
  const field = useField(props.spec.name, textsOf(props.value), props.save, (texts) => texts)
  return <TagsInput {...useCommon(props, field)} value={field.draft} onChange={field.commit} />
}

function ChoicesField(props: FieldProps) {
  const field = useField(props.spec.name, textsOf(props.value), props.save, (values) => values)
  const data = withUnknown(props.options, field.draft)
  return (
    <MultiSelect
      {...useCommon(props, field)}
      searchable
      hidePickedOptions
      data={data}
      value={field.draft}
      onChange={field.commit}
    />
  )
}

function ChoiceField(props: FieldProps) {
  const value = isText(props.value) ? props.value : null
  const field = useField<string | null>(props.spec.name, value, props.save, (chosen) => chosen)
  const data = withUnknown(props.options, value === null ? [] : [value])
  return (
    <Select
      {...useCommon(props, field)}
      searchable={data.length > 8}
      clearable={props.spec.required !== true}
      allowDeselect={false}
      limit={120}
      data={data}
      value={field.draft}
      onChange={field.commit}
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
    />
  )
}

/** A value that the vocabulary does not have any more is still shown as what it is. */
function withUnknown(options: readonly Labelled[], values: readonly string[]): Labelled[] {
  const known = new Set(options.map(({ value }) => value))
  return [...options, ...values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))]
}
