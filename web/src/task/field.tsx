// In charge of editing one member of a task in place, with an input for its kind. A typed value is saved when the user leaves the
// input; a chosen value is saved at once.
import { Loader, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { readJsonOrText } from '../canvas/form-fields.ts'
import {
  fromLocalInput,
  fullWords,
  halfTyped,
  latestLocalInput,
  timeProblem,
  toLocalInput,
  typedTime,
} from '../lib/dates.ts'
import { isTextList } from '../lib/storage.ts'
import type { Labelled } from '../lib/types.ts'
import { Choice, MultiChoice } from '../ui/choice.tsx'
import { cutFilter } from '../ui/cut-list.ts'
import { isCommand } from '../ui/keys.ts'
import type { FieldSpec } from './field-list.ts'
import { FieldNote } from './field-note.tsx'
import { type Field, useField } from './use-field.ts'
import type { Save } from './use-task-edit.ts'

type FieldProps = {
  spec: FieldSpec
  label: string
  value: unknown
  options: readonly Labelled[]
  save: Save
  disabled: boolean
}

/** Returns the props that all inputs have. The note under the input uses `words` to show the value that somebody else saved. */
function useCommon<T>({ spec, label, disabled }: FieldProps, field: Field<T>, words: (value: T) => string) {
  return {
    label,
    disabled,
    error: field.error,
    ...(spec.help ? { description: spec.help } : {}),
    ...(field.saving ? { rightSection: <Loader size={12} /> } : {}),
    inputContainer: (input: ReactNode) => (
      <>
        {input}
        <FieldNote field={field} words={words} />
      </>
    ),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const textOf = (value: unknown): string => (isText(value) ? value : '')
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])
const isNumberOrText = (value: unknown): value is number | string => typeof value === 'number' || isText(value)
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
/**
 * A half-typed date of an earlier visit is not restored, because only the input knew its parts: an input that is made anew would be
 * empty, and when the user left it, the saved time would be removed.
 */
const isWholeTime = (value: unknown): value is string => isText(value) && value !== halfTyped
const asIs = (text: string): string => text
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
  const field = useField(props.spec.name, textOf(props.value), props.save, { toWire: emptyToNull, isValue: isText })
  return (
    <TextInput
      {...useCommon(props, field, asIs)}
      value={field.draft}
      onChange={(event) => field.setDraft(event.currentTarget.value)}
      onBlur={() => field.commit(field.draft)}
      onKeyDown={(event) => {
        if (!isCommand(event)) return
        if (event.key === 'Enter') field.commit(field.draft)
        if (event.key === 'Escape') field.reset()
      }}
    />
  )
}

function LongField(props: FieldProps) {
  const field = useField(props.spec.name, textOf(props.value), props.save, {
    toWire: (text) => (text === '' ? null : text),
    isValue: isText,
  })
  return (
    <Textarea
      {...useCommon(props, field, asIs)}
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
  const field = useField(props.spec.name, shown, props.save, {
    toWire: (text) => {
      const read = readJsonOrText(text)
      // A text that is not saved differs from all values, so that it stays in the field.
      return 'value' in read ? read.value : text
    },
    isValue: isText,
    problemOf: (text) => {
      const read = readJsonOrText(text)
      return 'problem' in read ? read.problem : null
    },
  })
  return (
    <Textarea
      {...useCommon(props, field, asIs)}
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

function IntegerField(props: FieldProps) {
  const { min, max, name } = props.spec
  const given: number | string = typeof props.value === 'number' ? props.value : ''
  const field = useField(name, given, props.save, {
    toWire: (draft) => (draft === '' ? null : Number(draft)),
    isValue: isNumberOrText,
  })
  return (
    <NumberInput
      {...useCommon(props, field, String)}
      allowDecimal={false}
      hideControls
      // A number out of bounds is sent as it is, and the service refuses it; otherwise Mantine would silently change the number.
      clampBehavior="none"
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      value={field.draft}
      onChange={field.setDraft}
      onBlur={() => field.commit(field.draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isCommand(event)) field.commit(field.draft)
      }}
    />
  )
}

function TimeField(props: FieldProps) {
  const shown = toLocalInput(isText(props.value) ? props.value : null)
  const field = useField(props.spec.name, shown, props.save, {
    toWire: fromLocalInput,
    isValue: isWholeTime,
    problemOf: timeProblem,
  })
  return (
    <TextInput
      {...useCommon(props, field, (time) => (time === '' ? '' : fullWords(time)))}
      type="datetime-local"
      max={latestLocalInput}
      value={field.draft === halfTyped ? '' : field.draft}
      onChange={(event) => field.setDraft(typedTime(event.currentTarget))}
      // Read again, because browsers report no change while the first date is being typed, or after the last part of one is removed.
      onBlur={(event) => field.commit(typedTime(event.currentTarget))}
    />
  )
}

function FlagField(props: FieldProps) {
  const field = useField(props.spec.name, props.value === true, props.save, { toWire: (on) => on, isValue: isFlag })
  return (
    <div>
      <Switch
        label={props.label}
        description={props.spec.help}
        disabled={props.disabled || field.saving}
        error={field.error}
        checked={field.draft}
        onChange={(event) => field.commit(event.currentTarget.checked)}
      />
      <FieldNote field={field} words={(on) => (on ? 'on' : 'off')} />
    </div>
  )
}

function TextsField(props: FieldProps) {
  const field = useField(props.spec.name, textsOf(props.value), props.save, {
    toWire: (texts) => texts,
    isValue: isTextList,
  })
  return (
    <TagsInput {...useCommon(props, field, (texts) => texts.join(', '))} value={field.draft} onChange={field.commit} />
  )
}

function ChoicesField(props: FieldProps) {
  const field = useField(props.spec.name, textsOf(props.value), props.save, {
    toWire: (values) => values,
    isValue: isTextList,
  })
  const data = withUnknown(props.options, field.draft)
  return (
    <MultiChoice
      {...useCommon(props, field, (values) => values.map((value) => labelIn(data, value)).join(', '))}
      searchable
      hidePickedOptions
      data={data}
      value={field.draft}
      onChange={field.commit}
    />
  )
}

/** Shows at most so many options at once, because a list of thousands would open slowly. */
const firstOptions = cutFilter(120)

function ChoiceField(props: FieldProps) {
  const value = isText(props.value) ? props.value : null
  const field = useField<string | null>(props.spec.name, value, props.save, {
    toWire: (chosen) => chosen,
    isValue: isTextOrNull,
  })
  const data = withUnknown(props.options, value === null ? [] : [value])
  return (
    <Choice
      {...useCommon(props, field, (value) => (value === null ? '' : labelIn(data, value)))}
      searchable={data.length > 8}
      clearable={props.spec.required !== true}
      filter={firstOptions}
      data={data}
      value={field.draft}
      onChange={field.commit}
      // Mantine hides it from keyboards and screen readers, which have no other way to empty the field.
      clearButtonProps={{ 'aria-label': `Clear ${props.label}`, 'aria-hidden': false, tabIndex: 0 }}
    />
  )
}

const labelIn = (options: readonly Labelled[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value

/** Adds those chosen values that are not among the options, so that the input can show them too. */
function withUnknown(options: readonly Labelled[], values: readonly string[]): Labelled[] {
  const known = new Set(options.map(({ value }) => value))
  return [...options, ...values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))]
}
